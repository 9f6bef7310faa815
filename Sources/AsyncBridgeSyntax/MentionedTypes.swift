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

extension SyntaxProtocol {
    /// The names of values, functions and types that expressions mention, other than as members.
    var mentionedNames: Set<String> {
        let finder = ValueNames(viewMode: .sourceAccurate)
        finder.walk(self)
        return finder.names
    }
}

extension ExprSyntax {
    /// The expression without parentheses that only group.
    var withoutParentheses: ExprSyntax {
        guard let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
            only.label == nil
        else { return self }
        return only.expression.withoutParentheses
    }
}

private final class ValueNames: SyntaxVisitor {
    var names: Set<String> = []

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let isMember = node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id
        if !isMember { self.names.insert(node.baseName.text.withoutBackticks) }
        return .visitChildren
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
