// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
public import SwiftSyntax

extension Generator {
    /// The twins of a declaration with the attribute `@Bridged`, or why it has none.
    public static func twins(
        of declaration: DeclSyntax,
        markedBy attribute: AttributeSyntax,
        in surroundings: Surroundings
    ) -> Outcome {
        do throws(Refusal) {
            guard let function = declaration.as(FunctionDeclSyntax.self) else {
                throw self.notAFunction(declaration, attribute)
            }
            let options = try TwinOptions(attribute)
            let delivered = options.delivers.map { TypeSyntax($0) }
            try TwinOptions.checkThatAllAreUsed(
                options.aliases,
                by: [function],
                and: [delivered].compactMap(\.self),
                at: attribute
            )
            guard surroundings.place == .protocol else { return self.twins(of: function, options, in: surroundings) }
            // The macro of the protocol writes the twins, in an extension, and reads the arguments here.
            guard !surroundings.hasProtocolMacro else { return Outcome() }
            throw self.requirement(function, self.twins(of: function, options, in: surroundings))
        } catch {
            return Outcome(refusals: [error])
        }
    }

    private static func notAFunction(_ declaration: DeclSyntax, _ attribute: AttributeSyntax) -> Refusal {
        if declaration.is(InitializerDeclSyntax.self) {
            return Refusal(
                .initialiser,
                """
                an initialiser has no twin, because one that waits is called otherwise. Write a static function that \
                makes the object, and bridge that one
                """,
                at: attribute
            )
        }
        let isProtocol = declaration.is(ProtocolDeclSyntax.self)
        let isGroup = declaration.asProtocol((any DeclGroupSyntax).self) != nil
        let better = isProtocol ? HubNames.bridgedProtocol : HubNames.bridgedMembers
        var new = attribute
        new.attributeName = TypeSyntax(IdentifierTypeSyntax(name: .identifier(better)))
        return Refusal(
            .notAFunction,
            "'@\(HubNames.bridged)' is for a function" + (isGroup ? "; here write '@\(better)'" : ""),
            at: attribute,
            cures: isGroup ? [.init("write '@\(better)'", replacing: attribute, with: new)] : []
        )
    }

    private static func requirement(_ function: FunctionDeclSyntax, _ outcome: Outcome) -> Refusal {
        // Who is sent there should not be sent back.
        let other = outcome.refusals.first { !$0.isWarning }.map { ". But that one refuses it too: \($0.message)" }
        return Refusal(
            .requirement,
            """
            a twin beside a requirement would be a requirement too, and break conforming types. Write \
            '@\(HubNames.bridgedProtocol)' at the protocol: it writes the twins of all requirements in an \
            extension\(other ?? "")
            """,
            at: function.name
        )
    }
}
#endif
