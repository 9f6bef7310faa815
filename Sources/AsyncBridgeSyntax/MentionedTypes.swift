// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

extension SyntaxProtocol {
    /// The names of the types that are mentioned, as they are written, and those of generic types without arguments.
    var mentionedTypes: Set<String> {
        let finder = TypeNames(viewMode: .sourceAccurate)
        finder.walk(self)
        return finder.names
    }
}

private final class TypeNames: SyntaxVisitor {
    var names: Set<String> = []

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        self.names.formUnion([node.trimmedDescription, node.name.text])
        return .visitChildren
    }

    override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
        self.names.insert(node.trimmedDescription)
        return .visitChildren
    }
}
#endif
