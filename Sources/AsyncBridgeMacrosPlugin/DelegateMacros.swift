// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeSyntax
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@DelegateEvents`: the members of a delegate, and the attribute for each method without a body.
struct DelegateEventsMacro: MemberMacro, MemberAttributeMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let events = DelegateEvents(of: declaration, markedBy: node)
        for refusal in events.refusals { context.diagnose(refusal.diagnostic) }
        return events.members.map { DeclSyntax("\(raw: $0.written)") }
    }

    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard let function = member.as(FunctionDeclSyntax.self), function.body == nil else { return [] }
        let events = DelegateEvents(of: declaration, markedBy: node)
        let attribute = events.attribute(of: function, unchecked: DelegateEvents.isUnchecked(node))
        return attribute.map { [AttributeSyntax("\(raw: $0)")] } ?? []
    }
}

/// `@_DelegateBody`, which `@DelegateEvents` writes: the body of one method.
struct DelegateBodyMacro: BodyMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
        in context: some MacroExpansionContext
    ) throws -> [CodeBlockItemSyntax] {
        guard let function = declaration.as(FunctionDeclSyntax.self),
            let body = DelegateEvents.body(of: function, markedBy: node)
        else { return [] }
        return body.written.split(separator: "\n").map { "\(raw: $0)" }
    }
}

/// `@DelegateReply`, which `@DelegateEvents` reads: it adds nothing itself.
struct DelegateReplyMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let surroundings = Surroundings(context.lexicalContext)
        if let refusal = DelegateEvents.uselessReply(node, at: declaration, in: surroundings) {
            context.diagnose(refusal.diagnostic)
        }
        return []
    }
}
#endif
