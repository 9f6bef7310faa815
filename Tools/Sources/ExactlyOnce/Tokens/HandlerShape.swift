// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// A type, if it is one of a handler: a function that returns nothing.
struct HandlerShape {
    var isOptional = false
    /// Whether its parameters are those of an answer: a `Result`, or an error that may be absent.
    var isAnswer = false
    /// Whether it is called without arguments.
    var takesNothing = false
    /// Whether a call of it needs no `await`, no `try` and no actor.
    var isPlain = false

    init?(_ type: TypeSyntax, _ knowledge: Knowledge) {
        var type = type
        var isMarked = false
        while let (inner, isOptionalLayer) = type.withoutOneLayer {
            if let marked = type.as(AttributedTypeSyntax.self) {
                isMarked = isMarked || !marked.attributes.allSatisfy { ["@escaping", "@Sendable"].contains($0.key) }
            }
            isOptional = isOptional || isOptionalLayer
            type = inner
        }
        if let function = type.as(FunctionTypeSyntax.self) {
            guard ["Void", "()", "Swift.Void"].contains(function.returnClause.type.key) else {
                return nil
            }
            let parameters = function.parameters.map(\.type)
            // What takes a closure registers it: it is no answer.
            guard !parameters.contains(where: \.isFunction) else { return nil }
            // What changes the caller's value does a part of the work: it is no answer, either.
            guard !parameters.contains(where: \.isInout) else { return nil }
            let isResult = parameters.count == 1 && parameters[0].name == "Result"
            let endsWithError = parameters.last.map {
                $0.is(OptionalTypeSyntax.self) && $0.key.hasSuffix("Error?")
                    || $0.key.hasSuffix("Error)?")
            }
            isAnswer = isResult || endsWithError == true
            takesNothing = parameters.isEmpty
            isPlain = !isMarked && function.effectSpecifiers == nil
        } else if let name = type.name {
            guard knowledge.handlerTypes.contains(name) || Names.isHandlerType(name) else { return nil }
            isOptional = isOptional || knowledge.optionalHandlerTypes.contains(name)
        } else {
            return nil
        }
    }
}

extension TypeSyntax {
    /// `Handler` of `Handler`, `Handler<T>` and `API.Handler`.
    var name: String? {
        if let identifier = self.as(IdentifierTypeSyntax.self) { return identifier.name.text }
        // A publisher's `Subscribers.Completion` is a value.
        if let member = self.as(MemberTypeSyntax.self), member.baseType.name != "Subscribers" {
            return member.name.text
        }
        return nil
    }

    /// The type inside attributes, an optional or parentheses; `nil` if it is in none.
    var withoutOneLayer: (inner: TypeSyntax, isOptional: Bool)? {
        if let inner = self.as(AttributedTypeSyntax.self)?.baseType { return (inner, false) }
        if let inner = self.as(OptionalTypeSyntax.self)?.wrappedType { return (inner, true) }
        if let inner = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType { return (inner, true) }
        guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first
        else { return nil }
        return (only.type, false)
    }

    var withoutParentheses: TypeSyntax {
        guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first
        else { return self }
        return only.type.withoutParentheses
    }

    /// Whether it may be kept.
    var isEscaping: Bool {
        guard let attributed = self.as(AttributedTypeSyntax.self) else { return false }
        return attributed.attributes.contains { $0.key == "@escaping" }
    }

    /// Whether it is a function that returns `Void?`, as one that holds `self` weakly does.
    var answersNothing: Bool {
        let type = (self.as(AttributedTypeSyntax.self)?.baseType ?? self).withoutParentheses
        guard let function = type.as(FunctionTypeSyntax.self) else { return false }
        return ["Void?", "()?"].contains(function.returnClause.type.key)
    }

    /// Whether it is a function that gets a closure to call when it is done: the rest is its own.
    var isWork: Bool {
        let type = (self.as(AttributedTypeSyntax.self)?.baseType ?? self).withoutParentheses
        guard let function = type.as(FunctionTypeSyntax.self),
            ["Void", "()", "Swift.Void"].contains(function.returnClause.type.key)
        else { return false }
        return function.parameters.last?.type.isFunction == true
    }

    /// Whether it is `inout`.
    fileprivate var isInout: Bool {
        guard let attributed = self.as(AttributedTypeSyntax.self) else { return false }
        return attributed.specifiers.contains { $0.key == "inout" }
    }

    /// Whether it is a function, with or without attributes.
    var isFunction: Bool {
        if let inner = self.as(AttributedTypeSyntax.self)?.baseType { return inner.isFunction }
        if let inner = self.as(OptionalTypeSyntax.self)?.wrappedType { return inner.isFunction }
        if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            return only.type.isFunction
        }
        return self.is(FunctionTypeSyntax.self)
    }
}
