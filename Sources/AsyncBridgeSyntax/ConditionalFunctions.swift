// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// A clause of `#if` in which a declaration is.
struct Condition {
    /// Which `#if` it is, by where it begins in the declaration.
    private let position: Int
    /// Which clause: 0 is that of `#if`.
    private let index: Int
    /// The lines of `#if` and of the clauses, up to this one.
    private let head: String

    fileprivate init(_ declaration: IfConfigDeclSyntax, _ index: Int) {
        self.position = declaration.position.utf8Offset
        self.index = index
        let clauses = declaration.clauses.prefix(index + 1).map { clause in
            [clause.poundKeyword.text, clause.condition?.trimmedDescription].compactMap(\.self).joined(separator: " ")
        }
        self.head = clauses.joined(separator: "\n")
    }

    /// Whether one of the two alone is compiled, because they are clauses of one `#if`.
    func excludes(_ other: Condition) -> Bool { self.position == other.position && self.index != other.index }

    /// A text that is compiled where this clause is.
    func around(_ text: String) -> String { "\(self.head)\n\(text)\n#endif" }
}

extension [Condition] {
    /// A text that is compiled where all these clauses are, the outermost first.
    func around(_ text: String) -> String { self.reversed().reduce(text) { $1.around($0) } }

    /// Whether nothing is compiled that is here and there.
    func excludes(_ others: [Condition]) -> Bool {
        self.contains { condition in others.contains(where: condition.excludes) }
    }
}

/// A function among the members of a type, and the clauses of `#if` around it, the outermost first.
struct ConditionalFunction {
    let declaration: FunctionDeclSyntax
    let conditions: [Condition]
}

extension DeclGroupSyntax {
    /// The functions among its members, with those in `#if`.
    var conditionalFunctions: [ConditionalFunction] { self.memberBlock.members.conditionalFunctions([]) }

    /// The functions among its members, with those in `#if`.
    var functions: [FunctionDeclSyntax] { self.conditionalFunctions.map(\.declaration) }
}

extension MemberBlockItemListSyntax {
    fileprivate func conditionalFunctions(_ conditions: [Condition]) -> [ConditionalFunction] {
        self.flatMap { member in
            if let function = member.decl.as(FunctionDeclSyntax.self) {
                return [ConditionalFunction(declaration: function, conditions: conditions)]
            }
            guard let block = member.decl.as(IfConfigDeclSyntax.self) else { return [] }
            return block.clauses.enumerated().flatMap { index, clause in
                guard case .decls(let members)? = clause.elements else { return [ConditionalFunction]() }
                return members.conditionalFunctions(conditions + [Condition(block, index)])
            }
        }
    }
}

/// The functions that there are already, and those that are written.
struct WrittenFunctions {
    private var all: [String: [[Condition]]] = [:]

    init(_ functions: [ConditionalFunction]) {
        for function in functions {
            self.all[function.declaration.identityAsWritten, default: []].append(function.conditions)
        }
    }

    /// Notes a function.
    ///
    /// - Returns: Whether it is the only one of its identity, wherever it is compiled.
    mutating func insert(_ identity: String, _ conditions: [Condition]) -> Bool {
        guard self.all[identity, default: []].allSatisfy(conditions.excludes) else { return false }
        self.all[identity, default: []].append(conditions)
        return true
    }
}
#endif
