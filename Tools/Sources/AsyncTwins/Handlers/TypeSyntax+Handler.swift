// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension TypeSyntax {
    /// The type inside attributes, optionals and parentheses.
    var withoutLayers: TypeSyntax {
        if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.withoutLayers }
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.withoutLayers }
        if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            return only.type.withoutLayers
        }
        if let existential = self.as(SomeOrAnyTypeSyntax.self) { return existential.constraint.withoutLayers }
        return self
    }

    /// The function that a handler's type stands for, without what is around it; `nil` if it is none.
    func handlerFunction(_ meanings: [String: TypeSyntax]) -> FunctionTypeSyntax? {
        var type = withoutLayers
        // Aliases may stand for each other.
        var seen: Set<String> = []
        while let meaning = meanings[type.trimmedDescription], !meaning.is(IdentifierTypeSyntax.self),
            seen.insert(type.trimmedDescription).inserted
        {
            type = meaning.withoutLayers
        }
        return type.as(FunctionTypeSyntax.self)
    }
}
