// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeSyntax
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Bridged`: the twins of one function.
struct BridgedMacro: PeerMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let surroundings = Surroundings(context.lexicalContext, selectingModules: selectsModules)
        let outcome = Generator.twins(of: DeclSyntax(declaration), markedBy: node, in: surroundings)
        for refusal in outcome.refusals { context.diagnose(refusal.diagnostic) }
        return outcome.twins.map { DeclSyntax("\(raw: $0.source.written)") }
    }
}
#endif
