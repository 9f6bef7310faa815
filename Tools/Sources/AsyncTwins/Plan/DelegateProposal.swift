// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce
import SwiftSyntax

/// A delegate protocol, and the class with `@DelegateEvents` that makes a sequence of its events.
package struct DelegateProposal: Sendable {
    package let path: String
    package let location: Location
    package let name: String
    /// What to write.
    package let source: String

    /// The delegates of a file whose methods only tell what happened.
    static func all(in file: FileFacts) -> [DelegateProposal] {
        file.declarations.delegates.compactMap { DelegateProposal($0, path: file.file.path) }
    }

    private init?(_ delegate: DeclaredDelegate, path: String) {
        guard delegate.context.limit > .private else { return nil }
        let methods = delegate.node.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
        let told = methods.filter { $0.onlyTells }
        guard !told.isEmpty, delegate.node.genericWhereClause == nil else { return nil }
        self.path = path
        location = delegate.location
        let type = (delegate.context.path + [delegate.node.name.text]).joined(separator: ".")
        name = type
        let events = String(delegate.node.name.text.dropLast("Delegate".count)) + "Events"
        let objective = delegate.node.attributes.trimmedDescription.contains("@objc") ? "NSObject, " : ""
        let words = "    // The other methods return something, or have a handler: write their bodies."
        let rest = methods.count > told.count ? [words] : []
        let lines = told.map { method in
            var method = method
            method.leadingTrivia = []
            method.trailingTrivia = []
            method.attributes = []
            method.modifiers = []
            return "    " + method.trimmedDescription
        }
        source = (["@DelegateEvents", "final class \(events): \(objective)\(type) {"] + lines + rest + ["}"])
            .joined(separator: "\n")
    }
}

extension FunctionDeclSyntax {
    /// Whether a call of it tells something and asks for nothing.
    fileprivate var onlyTells: Bool {
        guard signature.effectSpecifiers == nil, genericParameterClause == nil,
            !modifiers.contains(where: { ["static", "class"].contains($0.name.text) })
        else { return false }
        let returned = signature.returnClause?.type.trimmedDescription ?? "Void"
        guard TwinReplacement.isVoid(returned) else { return false }
        return !signature.parameterClause.parameters.contains { parameter in
            parameter.type.tokens(viewMode: .sourceAccurate).contains { ["inout", "->"].contains($0.text) }
        }
    }
}
