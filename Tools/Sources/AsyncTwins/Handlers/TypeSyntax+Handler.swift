// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension TypeSyntax {
    /// The function that a handler's type stands for, without what is around it; `nil` if it is none.
    func handlerFunction(_ meanings: [String: TypeSyntax]) -> FunctionTypeSyntax? {
        var type = self
        while true {
            if let attributed = type.as(AttributedTypeSyntax.self) {
                type = attributed.baseType
            } else if let optional = type.as(OptionalTypeSyntax.self) {
                type = optional.wrappedType
            } else if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
                let only = tuple.elements.first
            {
                type = only.type
            } else if let meaning = meanings[type.trimmedDescription], !meaning.is(IdentifierTypeSyntax.self) {
                type = meaning
            } else {
                return type.as(FunctionTypeSyntax.self)
            }
        }
    }
}
