// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import SwiftParser
import SwiftSyntax

/// The type aliases of a package, and what its types are called.
struct AliasTable: Sendable {
    /// The aliases by their full names, such as `Api.Handler`.
    private var aliases: [String: [DeclaredAlias]] = [:]
    /// The full names of aliases, by the last part.
    private var fullNames: [String: Set<String>] = [:]
    private var types: Set<String> = []
    /// What types conform to or inherit from, by their full names.
    private var inherited: [String: Set<String>] = [:]

    mutating func add(_ declarations: FileDeclarations) {
        for alias in declarations.aliases {
            let name = (alias.path + [alias.name]).joined(separator: ".")
            aliases[name, default: []].append(alias)
            fullNames[alias.name, default: []].insert(name)
            types.insert(name)
        }
        types.formUnion(declarations.types.keys)
        inherited.merge(declarations.inherited) { $0.union($1) }
    }

    /// What the aliases that a function mentions stand for, by their names as they are written there.
    func meanings(for function: DeclaredFunction) -> [String: TypeSyntax] {
        var meanings: [String: TypeSyntax] = [:]
        let parameters = function.node.signature.parameterClause.parameters
        let generics = function.node.genericParameterClause?.parameters.map(\.name.text) ?? []
        var waiting = parameters.map(\.type)
        while let type = waiting.popLast() {
            for mentioned in MentionedTypes.all(in: type) {
                // Most names are those of no alias: they are not worth more.
                guard let last = mentioned.path.last, fullNames[last] != nil else { continue }
                let name = mentioned.trimmedDescription
                guard meanings[name] == nil, !generics.contains(name) else { continue }
                guard let meaning = meaning(of: mentioned, in: function.context.path) else { continue }
                meanings[name] = meaning
                waiting.append(meaning)
            }
        }
        return meanings.filter { !Self.isCircular($0.key, meanings) }
    }

    /// Whether a name stands for itself in the end, as far as syntax tells.
    private static func isCircular(_ name: String, _ meanings: [String: TypeSyntax]) -> Bool {
        var seen: Set<String> = []
        var name = name
        while let meaning = meanings[name] {
            guard seen.insert(name).inserted else { return true }
            name = meaning.trimmedDescription
        }
        return false
    }

    /// What a type stands for as code in a context sees it; `nil` if it is no alias of this package.
    private func meaning(of type: TypeSyntax, in context: [String]) -> TypeSyntax? {
        guard let (alias, name) = alias(type.path, in: context) else { return nil }
        let arguments = type.arguments
        guard arguments.count == alias.parameters.count else { return nil }
        let qualified = name.hasPrefix(context.prefix(alias.path.count)) ? alias.type : qualify(alias)
        guard !arguments.isEmpty else { return qualified.trimmed }
        let pairs = Dictionary(zip(alias.parameters, arguments)) { first, _ in first }
        return Replacement { pairs[$0.trimmedDescription]?.trimmedDescription }.applied(to: qualified)
    }

    /// The alias that a name means in a context: that of the innermost type, else the only one of this name.
    private func alias(_ written: [String], in context: [String]) -> (DeclaredAlias, [String])? {
        for depth in stride(from: context.count, through: 0, by: -1) {
            let full = (context.prefix(depth) + written).joined(separator: ".")
            if let alias = aliases[full].flatMap(Self.only) { return (alias, alias.path) }
            // A type of that name is nearer than any alias.
            if aliases[full] != nil || types.contains(full) { return nil }
            let owner = context.prefix(depth).joined(separator: ".")
            if let alias = inheritedAlias(written, by: owner) { return (alias, alias.path) }
        }
        guard let last = written.last, let names = fullNames[last], names.count == 1, let name = names.first,
            name == written.joined(separator: ".") || name.hasSuffix("." + written.joined(separator: ".")),
            let alias = aliases[name].flatMap(Self.only)
        else { return nil }
        return (alias, alias.path)
    }

    /// The alias that a type has from its protocols and its superclass, if there is one alone.
    private func inheritedAlias(_ written: [String], by type: String) -> DeclaredAlias? {
        var seen: Set<String> = [type]
        var waiting = Array(inherited[type] ?? [])
        var found: [DeclaredAlias] = []
        while let parent = waiting.popLast() {
            guard seen.insert(parent).inserted else { continue }
            found += aliases[([parent] + written).joined(separator: ".")] ?? []
            waiting += inherited[parent] ?? []
        }
        return Self.only(found)
    }

    /// The alias, if all clauses of `#if` say the same.
    private static func only(_ aliases: [DeclaredAlias]) -> DeclaredAlias? {
        Set(aliases.map { $0.type.trimmedDescription }).count == 1 ? aliases[0] : nil
    }

    /// What an alias stands for, with the names of its type's members as other types see them.
    private func qualify(_ alias: DeclaredAlias) -> TypeSyntax {
        Replacement { type in
            let name = type.name.text
            for depth in stride(from: alias.path.count, to: 0, by: -1) {
                let owner = alias.path.prefix(depth).joined(separator: ".")
                if self.types.contains("\(owner).\(name)") { return "\(owner).\(type.trimmedDescription)" }
            }
            return nil
        }
        .applied(to: alias.type)
    }
}

extension [String] {
    fileprivate func hasPrefix(_ other: ArraySlice<String>) -> Bool { starts(with: other) }
}

extension TypeSyntax {
    /// The arguments of a generic type.
    fileprivate var arguments: [TypeSyntax] {
        let clause =
            self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
            ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
        return clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
    }
}

/// The named types in a type.
private final class MentionedTypes: SyntaxVisitor {
    private var types: [TypeSyntax] = []

    static func all(in type: TypeSyntax) -> [TypeSyntax] {
        let finder = MentionedTypes(viewMode: .sourceAccurate)
        finder.walk(type)
        return finder.types
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        types.append(TypeSyntax(node))
        return .visitChildren
    }

    override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
        types.append(TypeSyntax(node))
        return .visitChildren
    }
}

/// Puts other types in the place of named ones.
private final class Replacement: SyntaxRewriter {
    private let replacement: (IdentifierTypeSyntax) -> String?

    init(_ replacement: @escaping (IdentifierTypeSyntax) -> String?) {
        self.replacement = replacement
        super.init(viewMode: .sourceAccurate)
    }

    func applied(to type: TypeSyntax) -> TypeSyntax { rewrite(type.detached).cast(TypeSyntax.self).trimmed }

    override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
        let inner = super.visit(node)
        guard let visited = Syntax(inner).as(IdentifierTypeSyntax.self), let text = replacement(visited) else {
            return inner
        }
        var parser = Parser(text)
        var type = TypeSyntax.parse(from: &parser)
        type.leadingTrivia = node.leadingTrivia
        type.trailingTrivia = node.trailingTrivia
        return type
    }
}
