// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
public import SwiftSyntax

extension Generator {
    /// The extension of a protocol that holds its twins; `nil` if there are none.
    ///
    /// Requirements have the access of their protocol, which the extension must repeat.
    public static func extensionSource(
        of type: some TypeSyntaxProtocol,
        _ twins: [Twin],
        for declaration: ProtocolDeclSyntax
    ) -> String? {
        guard !twins.isEmpty else { return nil }
        let levels = ["public", "package", "fileprivate", "private"]
        let access = declaration.modifiers.map(\.name.text).first(where: levels.contains).map { $0 + " " } ?? ""
        let availability = declaration.attributes.written.filter { $0.name == "available" }
            .map { $0.trimmedDescription + "\n" }.joined()
        let members = twins.map(\.source.indented).joined(separator: "\n\n")
        // An extension would be for those that can be copied.
        let isForAll = Surroundings([Syntax(declaration)]).isNoncopyable
        let requirement = isForAll ? " where Self: ~Copyable" : ""
        return "\(availability)\(access)extension \(type.trimmedDescription)\(requirement) {\n\(members)\n}"
    }
}

extension Refusal {
    /// `@DelegateEvents` on something else than a class.
    static func notADelegate(_ attribute: AttributeSyntax) -> Refusal {
        Refusal(
            .notAFunction,
            """
            '@\(HubNames.delegateEvents)' is for a class of yours that is a delegate: put it there, with the protocol \
            among its conformances and the methods without bodies
            """,
            at: attribute
        )
    }

    /// `@BridgedMembers` on a protocol, where a twin would be a requirement.
    static func isAProtocol(_ declaration: ProtocolDeclSyntax, _ attribute: AttributeSyntax) -> Refusal {
        var new = attribute
        new.attributeName = TypeSyntax(IdentifierTypeSyntax(name: .identifier(HubNames.bridgedProtocol)))
        return Refusal(
            .notAFunction,
            "'@\(HubNames.bridgedMembers)' is for types and extensions; here write '@\(HubNames.bridgedProtocol)'",
            at: attribute,
            cures: [.init("write '@\(HubNames.bridgedProtocol)'", replacing: attribute, with: new)]
        )
    }

    /// `@BridgedProtocol` on something else.
    public static func notAProtocol(_ attribute: AttributeSyntax) -> Refusal {
        var new = attribute
        new.attributeName = TypeSyntax(IdentifierTypeSyntax(name: .identifier(HubNames.bridgedMembers)))
        return Refusal(
            .notAFunction,
            "'@\(HubNames.bridgedProtocol)' is for a protocol; here write '@\(HubNames.bridgedMembers)'",
            at: attribute,
            cures: [.init("write '@\(HubNames.bridgedMembers)'", replacing: attribute, with: new)]
        )
    }
}
#endif
