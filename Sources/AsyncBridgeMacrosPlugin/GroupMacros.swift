// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeSyntax
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@BridgedMembers`: the twins of all members that the generator does not refuse.
///
/// Why not `@Bridged` on each member: on the extension of a protocol with an associated type, the compiler (6.3) finds
/// a circular reference in that.
struct BridgedMembersMacro: MemberMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let outcome = Generator.twins(ofMembersOf: declaration, markedBy: node, selectingModules: selectsModules)
        for refusal in outcome.refusals { context.diagnose(refusal.diagnostic) }
        return outcome.twins.map { DeclSyntax("\(raw: $0.source.written)") }
    }
}

/// `@BridgedProtocol`: the twins of a protocol's requirements, in an extension.
struct BridgedProtocolMacro: ExtensionMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
            context.diagnose(Refusal.notAProtocol(node).diagnostic)
            return []
        }
        let outcome = Generator.twins(
            ofRequirementsOf: declaration,
            markedBy: node,
            around: context.lexicalContext,
            selectingModules: selectsModules
        )
        for refusal in outcome.refusals { context.diagnose(refusal.diagnostic) }
        guard let source = Generator.extensionSource(of: type, outcome.twins, for: declaration) else { return [] }
        return [try ExtensionDeclSyntax("\(raw: source.written)")]
    }
}
#endif
