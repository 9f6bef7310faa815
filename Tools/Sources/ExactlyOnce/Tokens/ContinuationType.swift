// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// A type, if it is that of a continuation, or of several.
struct ContinuationType {
    var isOptional = false
    var isUnsafe = false
    /// Whether it is an array or a dictionary of them.
    var isCollection = false

    init?(_ type: TypeSyntax, _ knowledge: Knowledge = Knowledge()) {
        var type = type
        while true {
            if let (inner, isOptionalLayer) = type.withoutOneLayer {
                isOptional = isOptional || isOptionalLayer
                type = inner
            } else if let inner = type.as(ArrayTypeSyntax.self)?.element {
                isCollection = true
                type = inner
            } else if let inner = type.as(DictionaryTypeSyntax.self)?.value {
                isCollection = true
                type = inner
            } else {
                break
            }
        }
        guard let name = type.name else { return nil }
        isUnsafe = name == "UnsafeContinuation"
        guard isUnsafe || name == "CheckedContinuation" || knowledge.continuationTypes.contains(name) else {
            return nil
        }
    }
}
