// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// What is around a declaration: the type or extension, and everything that an extension in another file must repeat.
struct DeclarationContext: Sendable {
    enum Kind: Sendable {
        case file
        case type
        case `protocol`
        case `extension`
    }

    var kind = Kind.file
    /// The names of the types around, the outermost first.
    var path: [String] = []
    /// The full name of the type.
    var typeName: String { path.joined(separator: ".") }
    /// The type, as an extension names it.
    var extended = ""
    /// The requirements of the extension around.
    var requirements: String?
    /// What makes the type available, of all types around, and the extension's actor.
    var attributes: [String] = []
    /// Words before `extension`, other than those of access.
    var modifiers: [String] = []
    /// The access that the type around allows, if the declaration can be found in this file.
    var limit = Access.public
    /// The access of members that name none.
    var memberAccess = Access.internal
    /// Whether members have that access only because the extension around names it.
    var accessIsOfExtension = false
    /// Whether nothing may use the type around.
    var isUnavailable = false
    /// Whether an extension cannot name the type, since one of the types around is private in another.
    var isPrivateInType = false
    /// The macro at the type around that writes the twins of its members.
    var macro: String?
    /// The clauses of `#if` around, the outermost first.
    var conditions: [CompileCondition] = []

    /// The context of the members of a type.
    func inside(_ group: some DeclGroupSyntax, named name: String, _ kind: Kind) -> DeclarationContext {
        var inner = DeclarationContext(kind: kind, conditions: conditions)
        inner.path = path + [name]
        inner.extended = inner.typeName
        inner.attributes = attributes.filter { $0.hasPrefix("@available") } + group.attributes.availability
        inner.isUnavailable = isUnavailable || group.attributes.forbidUse
        let isPrivate = group.modifiers.contains { $0.detail == nil && $0.name.text == "private" }
        inner.isPrivateInType = isPrivateInType || isPrivate && self.kind != .file
        inner.macro = group.attributes.memberMacro
        let own = Access(group.modifiers) ?? memberAccess
        inner.limit = min(limit, own)
        inner.memberAccess = kind == .protocol ? own : .internal
        return inner
    }

    /// The context of the members of an extension.
    func inside(_ declaration: ExtensionDeclSyntax, of path: [String]) -> DeclarationContext {
        var inner = DeclarationContext(kind: .extension, conditions: conditions)
        inner.path = path
        inner.extended = declaration.extendedType.trimmedDescription
        inner.requirements = declaration.genericWhereClause?.trimmedDescription
        inner.attributes = declaration.attributes.availability + declaration.attributes.actors
        inner.isUnavailable = declaration.attributes.forbidUse
        inner.macro = declaration.attributes.memberMacro
        let levels = ["public", "package", "internal", "private", "fileprivate"]
        inner.modifiers = declaration.modifiers.map(\.trimmedDescription).filter { !levels.contains($0) }
        if let own = Access(declaration.modifiers) {
            inner.memberAccess = own
            inner.accessIsOfExtension = true
        }
        return inner
    }
}

extension AttributeListSyntax {
    private var written: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

    /// The attributes `@available`, in source form.
    var availability: [String] { written.filter { $0.isNamed("available") }.map(\.trimmedDescription) }

    /// Global actors, in source form, as far as names tell.
    fileprivate var actors: [String] {
        written.filter { $0.attributeName.trimmedDescription.hasSuffix("Actor") && $0.arguments == nil }
            .map(\.trimmedDescription)
    }

    /// The macro that writes the twins of members.
    fileprivate var memberMacro: String? {
        written.map(\.attributeName.trimmedDescription).first { ["BridgedMembers", "BridgedProtocol"].contains($0) }
    }

    /// Whether nothing may use the declaration.
    var forbidUse: Bool {
        written.contains { attribute in
            guard attribute.isNamed("available"), case .availability(let arguments)? = attribute.arguments else {
                return false
            }
            let words = arguments.compactMap { $0.argument.as(TokenSyntax.self)?.text }
            return words.contains("unavailable") && words.contains("*")
        }
    }
}

extension AttributeSyntax {
    fileprivate func isNamed(_ name: String) -> Bool { attributeName.trimmedDescription == name }
}
