// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

extension DelegateMethod {
    /// Refuses a method that does more than tell what happened.
    static func checkThatItOnlyTells(_ function: FunctionDeclSyntax) throws(Refusal) {
        if let clause = function.signature.returnClause, !clause.type.isVoid {
            throw Refusal(
                .methodReturns,
                """
                '\(function.name.text)' must return '\(clause.type.trimmedDescription)' at once, so no macro can write \
                its body. Write it: a method with a body stays as it is
                """,
                at: clause
            )
        }
        if function.isAsync {
            throw Refusal(
                .methodReturns,
                "an async method is waited for, so no macro can write its body. Write it: it stays as it is",
                at: function.name
            )
        }
        if let modifier = function.modifiers.first(where: { ["static", "class"].contains($0.name.text) }) {
            throw Refusal(
                .methodOfType,
                """
                '\(function.name.text)' belongs to the type, and the events to one delegate. Write the body yourself: \
                a method with a body stays as it is
                """,
                at: modifier
            )
        }
        if let clause = function.genericParameterClause {
            throw Self.generic(function, at: clause)
        }
    }

    /// Refuses what no event can have, not even as a sender that is left out.
    static func check(_ parameter: FunctionParameterSyntax, of function: FunctionDeclSyntax) throws(Refusal) {
        if parameter.type.isInout || parameter.ellipsis != nil || parameter.type.hasSpecifier(.isolated) {
            throw Refusal(
                .methodReturns,
                "an event cannot change '\(parameter.innerName)', or hold its values. Write the body yourself",
                at: parameter
            )
        }
        if parameter.type.mentionsOpaque { throw Self.generic(function, at: parameter.type) }
    }

    /// Refuses what lives as long as the call.
    static func checkThatItMayBeStored(_ parameter: FunctionParameterSyntax) throws(Refusal) {
        if parameter.innerName == "_" {
            throw Refusal(.unnamedParameter, "what is passed on needs a name: replace '_'", at: parameter)
        }
        if parameter.innerName.withoutBackticks == "self" {
            throw Refusal(
                .unnamedParameter,
                "'self' is the delegate, where the event is passed on. Call the value otherwise: 'position self: Int'",
                at: parameter
            )
        }
        let value = parameter.type.asValue
        let wrapped = value.optionalWrapped ?? value
        let spans = ["Span", "MutableSpan", "OutputSpan"].contains { wrapped.genericArguments(of: $0) != nil }
        if spans || ["RawSpan", "MutableRawSpan", "OutputRawSpan"].contains(wrapped.nameInSwift) {
            throw Refusal(
                .closureOfCall,
                """
                '\(parameter.innerName)' lives until the method returns, and an event is looked at later. Write the \
                body yourself, and copy there what is needed
                """,
                at: parameter.type
            )
        }
        let attributes = parameter.type.as(AttributedTypeSyntax.self)?.attributes
        let isAutoclosure = attributes?.contains(named: "autoclosure") == true
        guard isAutoclosure || HandlerType(parameter.type)?.isEscaping == false else { return }
        throw Refusal(
            .closureOfCall,
            """
            '\(parameter.innerName)' may be called only until the method returns, and an event is looked at later. \
            Write the body yourself\(isAutoclosure ? "" : "; or add '@escaping', if the protocol has it")
            """,
            at: parameter.type
        )
    }

    private static func generic(_ function: FunctionDeclSyntax, at anchor: some SyntaxProtocol) -> Refusal {
        Refusal(
            .genericMethod,
            """
            '\(function.name.text)' is generic, and an event has one type. Write the body yourself: a method with a \
            body stays as it is
            """,
            at: anchor
        )
    }
}
#endif
