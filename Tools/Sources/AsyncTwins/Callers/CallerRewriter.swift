// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce
import SwiftSyntax

/// Finds the calls of functions that have twins, and writes those that can wait as calls of the twins.
package struct CallerRewriter: Sendable {
    private let calls: TwinCalls

    package init(_ calls: TwinCalls) { self.calls = calls }

    /// The calls in a file, in its order.
    package func sites(in file: SourceFile) -> [CallerSite] {
        let finder = CallFinder(calls)
        finder.walk(file.tree)
        var end = 0
        return finder.found.map { found in
            let name = found.call.calleeName?.positionAfterSkippingLeadingTrivia.utf8Offset ?? 0
            var site = CallerSite(
                path: file.path,
                location: file.location(of: name),
                title: found.callees[0].title,
                text: found.call.trimmedDescription,
                outcome: outcome(found, in: file)
            )
            // A call in what is rewritten is looked at the next time.
            if let edit = site.edit {
                if edit.range.lowerBound < end { site.outcome = .left(.notAsync) } else { end = edit.range.upperBound }
            }
            return site
        }
    }

    private func outcome(_ found: FoundCall, in file: SourceFile) -> CallerSite.Outcome {
        do throws(CallPosition.Obstacle) {
            if let wrap = found.wrap {
                let returned = Set(found.callees.map { $0.replacement?.returned })
                let indentation = (file.indentation(around: wrap.node), file.indentation(around: wrap.call))
                return .rewritten(try wrap.edit(found.twin(), returned: returned, indentation: indentation))
            }
            let position = try CallPosition(of: found.call)
            guard let closure = found.closure else { return .left(.noClosure) }
            let twin = try found.twin()
            let blanks = file.indentation(around: position.statement)
            let rewrite = CallRewrite(found.call, handler: closure, at: position, twin, indentation: blanks)
            return .rewritten(try rewrite.edit())
        } catch {
            return .left(error.reason)
        }
    }

    /// A file with these calls rewritten, and the lines of each that is, from 1, by its index among the sites.
    package static func text(
        of file: SourceFile,
        _ sites: [CallerSite]
    ) -> (text: String, lines: [(lines: ClosedRange<Int>, site: Int)]) {
        let (text, lines) = file.edited(sites.map(\.edit))
        return (text, lines.map { ($0.lines, $0.edit) })
    }
}
