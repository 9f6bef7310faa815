// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// The comments of a file that silence findings: `// asyncbridge:ignore[rule] reason`.
///
/// Such a comment holds for its own line, or, on a line of its own, for the next one. It names rules, separated by
/// commas, and a reason. One that silences nothing is a finding, and so is one without a reason.
package struct Suppressions: Sendable {
    struct Comment: Sendable {
        var offset: Int
        var line: Int
        /// The line on which findings are silenced.
        var target: Int
        var rules: [String]
        var reason: String
    }

    var comments: [Comment] = []

    package init(_ file: SourceFile) {
        guard Prefilter.contains(["asyncbridge:ignore"], in: file.text) else { return }
        for token in file.tree.tokens(viewMode: .sourceAccurate) {
            var offset = token.position.utf8Offset
            for piece in token.leadingTrivia {
                if case .lineComment(let text) = piece { add(text, at: offset, in: file) }
                offset += piece.sourceLength.utf8Length
            }
            offset = token.endPositionBeforeTrailingTrivia.utf8Offset
            for piece in token.trailingTrivia {
                if case .lineComment(let text) = piece { add(text, at: offset, in: file) }
                offset += piece.sourceLength.utf8Length
            }
        }
    }

    private mutating func add(_ text: String, at offset: Int, in file: SourceFile) {
        var rest = text.drop { $0 == "/" }.drop { $0 == " " }
        guard rest.hasPrefix("asyncbridge:ignore") else { return }
        rest = rest.dropFirst("asyncbridge:ignore".count)
        var rules: [String] = []
        if rest.first == "[", let end = rest.firstIndex(of: "]") {
            rules = rest[rest.index(after: rest.startIndex)..<end].split(separator: ",").map { $0.trimmed }
            rest = rest[rest.index(after: end)...]
        }
        let location = file.location(of: offset)
        let before = file.line(location.line).utf8.prefix(location.column - 1)
        let isAlone = before.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var target = location.line
        if isAlone {
            // Several of them may stand above one line.
            target += 1
            while target < file.lineCount, file.line(target)[...].trimmed.hasPrefix("//") { target += 1 }
        }
        comments.append(
            Comment(offset: offset, line: location.line, target: target, rules: rules, reason: rest.trimmed)
        )
    }

    /// The findings that no comment silences, and what is wrong with the comments.
    ///
    /// `others` has the findings of other profiles: a comment that silences one of them is not stale.
    package func apply(
        to findings: [Finding],
        in file: SourceFile,
        others: () -> [Finding] = { [] }
    ) -> [Finding] {
        guard !comments.isEmpty else { return findings }
        var used: Set<Int> = []
        var kept = findings.filter { finding in
            guard let index = comment(for: finding) else { return true }
            used.insert(index)
            return false
        }
        if used.count < comments.count { used.formUnion(others().compactMap { comment(for: $0) }) }
        for (index, comment) in comments.enumerated() where !used.contains(index) {
            kept.append(mistake(comment, in: file))
        }
        return kept
    }

    /// The comment that silences a finding.
    func comment(for finding: Finding) -> Int? {
        comments.firstIndex {
            ($0.target == finding.location.line || $0.line == finding.location.line)
                && $0.rules.contains(finding.rule) && !$0.reason.isEmpty
        }
    }

    private func mistake(_ comment: Comment, in file: SourceFile) -> Finding {
        var rule = "stale-ignore"
        var message = "this comment silences nothing: delete it"
        let unknown = comment.rules.filter { Rules.page(named: $0) == nil }
        if comment.rules.isEmpty {
            rule = "bad-ignore"
            message = "name the rules: ‘asyncbridge:ignore[rule] reason’"
        } else if let name = unknown.first {
            rule = "bad-ignore"
            message = "there is no rule ‘\(name)’"
        } else if comment.reason.isEmpty {
            rule = "bad-ignore"
            message = "say why: ‘asyncbridge:ignore[\(comment.rules.joined(separator: ","))] reason’"
        }
        return Finding(
            rule: rule,
            level: .warning,
            message: message,
            path: file.path,
            location: file.location(of: comment.offset),
            token: "",
            declaration: ""
        )
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
