// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// A clause of `#if` in which a declaration is.
struct CompileCondition: Hashable, Sendable {
    /// Which `#if` it is, by where it begins in its file.
    private let position: Int
    /// Which clause: 0 is that of `#if`.
    private let index: Int
    /// The lines of `#if` and of the clauses, up to this one.
    private let head: String

    init?(_ clause: IfConfigClauseSyntax) {
        guard let whole = clause.parent?.parent?.as(IfConfigDeclSyntax.self),
            let index = whole.clauses.firstIndex(of: clause)
        else { return nil }
        let clauses = whole.clauses[...index]
        self.position = whole.position.utf8Offset
        self.index = clauses.count - 1
        self.head = clauses.map { clause in
            [clause.poundKeyword.text, clause.condition?.trimmedDescription].compactMap(\.self).joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// Whether one of the two alone is compiled, because they are clauses of one `#if`.
    func excludes(_ other: CompileCondition) -> Bool { position == other.position && index != other.index }

    /// A text that is compiled where this clause is.
    func around(_ text: String) -> String { "\(head)\n\(text)\n#endif" }
}

extension [CompileCondition] {
    /// A text that is compiled where all these clauses are, the outermost first.
    func around(_ text: String) -> String { reversed().reduce(text) { $1.around($0) } }

    /// Whether nothing is compiled that is here and there.
    func excludes(_ others: [CompileCondition]) -> Bool {
        contains { condition in others.contains(where: condition.excludes) }
    }
}
