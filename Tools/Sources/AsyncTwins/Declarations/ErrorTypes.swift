// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import SwiftParser
import SwiftSyntax

/// The types of a package that are errors, although their names do not end with "Error".
struct ErrorTypes: Sendable {
    private struct Declared: Sendable {
        /// The full name.
        var name: String
        var isError: Bool
    }

    /// All types that share the last part of their names with an error, by that part.
    private var types: [String: [Declared]] = [:]

    /// Looks at the types of a package, by their full names, and at what they conform to and inherit from.
    init(_ names: Set<String>, _ inherited: [String: Set<String>]) {
        let declared = names.map { Declared(name: $0, isError: Self.isError($0, inherited)) }
        let all = Dictionary(grouping: declared) { $0.name.lastPart }
        types = all.filter { last, types in !last.isErrorByName && types.contains(where: \.isError) }
    }

    private static func isError(_ type: String, _ inherited: [String: Set<String>]) -> Bool {
        var found: Set<String> = []
        var waiting = [type]
        while let name = waiting.popLast() {
            for other in inherited[name] ?? [] where found.insert(other).inserted {
                if other.lastPart.isErrorByName { return true }
                waiting.append(other)
            }
        }
        return false
    }

    /// That these types are errors, for those that a function's parameters mention, by their names as they are written.
    func meanings(for function: DeclaredFunction, _ aliases: [String: TypeSyntax]) -> [String: TypeSyntax] {
        guard !types.isEmpty else { return [:] }
        let generics = function.node.genericParameterClause?.parameters.map(\.name.text) ?? []
        let syntax = function.parameters.map { Syntax($0.type) } + aliases.values.map { Syntax($0) }
        let names = syntax.flatMap { Generator.mentionedTypes(in: $0) }.filter { isError($0) && !generics.contains($0) }
        return Dictionary(names.map { ($0, Self.anyError) }) { first, _ in first }
    }

    private func isError(_ written: String) -> Bool {
        guard let types = types[written.lastPart] else { return false }
        let possible = types.filter { $0.name == written || $0.name.hasSuffix("." + written) }
        return !possible.isEmpty && possible.allSatisfy(\.isError)
    }

    private static var anyError: TypeSyntax {
        var parser = Parser("any Swift.Error")
        return TypeSyntax.parse(from: &parser)
    }
}

extension String {
    /// `Failure` of `Api.Failure`.
    fileprivate var lastPart: String { split(separator: ".").last.map(String.init) ?? self }

    fileprivate var isErrorByName: Bool { hasSuffix("Error") }
}
