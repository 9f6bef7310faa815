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
        return finder.found.map { call, closure, callees in
            let name = call.calledName?.positionAfterSkippingLeadingTrivia.utf8Offset ?? 0
            var site = CallerSite(
                path: file.path,
                location: file.location(of: name),
                title: callees[0].title,
                text: call.trimmedDescription,
                outcome: outcome(call, closure, callees, in: file)
            )
            // A call in what is rewritten is looked at the next time.
            if let edit = site.edit {
                if edit.range.lowerBound < end { site.outcome = .left(.notAsync) } else { end = edit.range.upperBound }
            }
            return site
        }
    }

    private func outcome(
        _ call: FunctionCallExprSyntax,
        _ closure: ClosureExprSyntax?,
        _ callees: [TwinCalls.Callee],
        in file: SourceFile
    ) -> CallerSite.Outcome {
        do throws(CallPosition.Obstacle) {
            let position = try CallPosition(of: call)
            guard let closure else { return .left(.noClosure) }
            let replacements = Set(callees.map(\.replacement))
            guard replacements.count == 1, let twin = callees[0].replacement else { return .left(.otherFunctions) }
            let start = position.statement.positionAfterSkippingLeadingTrivia.utf8Offset
            let line = file.line(file.location(of: start).line)
            return .rewritten(try CallRewrite(call, handler: closure, at: position, twin, line: line).edit())
        } catch {
            return .left(error.reason)
        }
    }

    /// A file with these calls rewritten, and the lines of each that is, from 1, by its index among the sites.
    package static func text(
        of file: SourceFile,
        _ sites: [CallerSite]
    ) -> (text: String, lines: [(lines: ClosedRange<Int>, site: Int)]) {
        var text: [UInt8] = []
        var lines: [(lines: ClosedRange<Int>, site: Int)] = []
        var position = 0
        var line = 1
        func add(_ bytes: some Sequence<UInt8>) {
            let start = text.count
            text += bytes
            line += text[start...].count { $0 == UInt8(ascii: "\n") }
        }
        let lineEnd = file.text.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
        for (index, site) in sites.enumerated() {
            guard let edit = site.edit else { continue }
            add(file.text[position..<edit.range.lowerBound])
            let first = line
            add(edit.text.replacing("\n", with: lineEnd).utf8)
            lines.append((first...line, index))
            position = edit.range.upperBound
        }
        add(file.text[position...])
        return (String(decoding: text, as: UTF8.self), lines)
    }
}

private final class CallFinder: SyntaxVisitor {
    var found: [(call: FunctionCallExprSyntax, closure: ClosureExprSyntax?, callees: [TwinCalls.Callee])] = []
    private let calls: TwinCalls

    init(_ calls: TwinCalls) {
        self.calls = calls
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard let name = node.calledName?.text, calls.isKnown(name), node.additionalTrailingClosures.isEmpty else {
            return .visitChildren
        }
        var arguments = Array(node.arguments)
        var handler: String?
        var closure = node.trailingClosure
        if closure == nil {
            // The handler is the last argument, as everywhere, or the only closure.
            let index = arguments.lastIndex { $0.expression.is(ClosureExprSyntax.self) } ?? arguments.count - 1
            guard arguments.indices.contains(index) else { return .visitChildren }
            let argument = arguments.remove(at: index)
            handler = argument.label?.text ?? "_"
            closure = argument.expression.as(ClosureExprSyntax.self)
        }
        let callees = calls.callees(name, arguments.map { $0.label?.text ?? "_" }, handler: handler)
        if !callees.isEmpty { found.append((node, closure, callees)) }
        return .visitChildren
    }
}

extension FunctionCallExprSyntax {
    /// The name of what is called.
    fileprivate var calledName: TokenSyntax? {
        if let member = calledExpression.as(MemberAccessExprSyntax.self) { return member.declName.baseName }
        return calledExpression.as(DeclReferenceExprSyntax.self)?.baseName
    }
}
