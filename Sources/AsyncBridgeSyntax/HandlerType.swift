// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// The type of a parameter that may be a completion handler, without its wrapping.
struct HandlerType {
    let function: FunctionTypeSyntax
    /// Whether it may be called after the function has returned.
    let isEscaping: Bool
    let isAutoclosure: Bool
    /// Whether it is a C function, which cannot carry a callback.
    let isCFunction: Bool

    /// Reads `@escaping (T) -> Void`, `((T) -> Void)?` and what is like them.
    ///
    /// - Returns: `nil` if it is not a function type, nor one of the aliases.
    init?(_ type: TypeSyntax, aliases: [String: TypeSyntax] = [:]) {
        var type = type
        var attributes: Set<String> = []
        var isOptional = false
        var isCFunction = false
        // Aliases may stand for each other.
        var seen: Set<String> = []
        while true {
            if let attributed = type.as(AttributedTypeSyntax.self) {
                attributes.formUnion(attributed.attributes.written.map(\.name))
                isCFunction = isCFunction || attributed.attributes.written.contains(where: \.isCConvention)
                type = attributed.baseType
            } else if let wrapped = type.optionalWrapped {
                isOptional = true
                type = wrapped
            } else if let inner = type.inParentheses {
                type = inner
            } else if let (name, meaning) = type.meaning(aliases), !meaning.is(IdentifierTypeSyntax.self),
                seen.insert(name).inserted
            {
                type = meaning
            } else {
                break
            }
        }
        guard let function = type.as(FunctionTypeSyntax.self) else { return nil }
        self.function = function
        self.isEscaping = isOptional || attributes.contains("escaping")
        self.isAutoclosure = attributes.contains("autoclosure")
        self.isCFunction = isCFunction
    }

    /// Whether its argument is a piece of async code, which only async functions may have.
    var isAsyncAutoclosure: Bool {
        self.isAutoclosure && self.function.effectSpecifiers?.asyncSpecifier != nil
    }

    /// Whether it is told of failures, as an answer is.
    var getsResult: Bool {
        self.function.parameters.contains { parameter in
            let type = parameter.type.optionalWrapped ?? parameter.type
            return type.genericArguments(of: "Result") != nil || parameter.type.optionalWrapped != nil && type.isError
        }
    }

    /// Whether a call of the handler gives nothing back.
    var returnsNothing: Bool { self.function.returnClause.type.isVoid }

    /// Whether it is an expression that may throw.
    var isThrowingAutoclosure: Bool { self.isAutoclosure && self.function.effectSpecifiers?.throwsClause != nil }
}

extension TypeSyntax {
    /// Its name, and what it stands for; `nil` if it is no alias.
    ///
    /// A type's text costs much: only a name may be that of an alias.
    fileprivate func meaning(_ aliases: [String: TypeSyntax]) -> (name: String, type: TypeSyntax)? {
        guard !aliases.isEmpty, self.is(IdentifierTypeSyntax.self) || self.is(MemberTypeSyntax.self) else { return nil }
        let name = self.trimmedDescription
        return aliases[name].map { (name, $0) }
    }

    /// What an optional type wraps.
    var optionalWrapped: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType }
        return self.genericArguments(of: "Optional")?.first
    }

    /// The type in parentheses that group, and make no tuple.
    var inParentheses: TypeSyntax? {
        guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
            only.firstName == nil, only.ellipsis == nil
        else { return nil }
        return only.type
    }

    var isVoid: Bool {
        if let inner = self.inParentheses { return inner.isVoid }
        if let tuple = self.as(TupleTypeSyntax.self) { return tuple.elements.isEmpty }
        return self.nameInSwift == "Void"
    }

    /// The type as it is written, without the name of Swift's module: `Void` of `Swift.Void` and of `Swift::Void`.
    var nameInSwift: String {
        let text = self.trimmedDescription
        let module = ["Swift.", "Swift::"].first(where: text.hasPrefix)
        return String(text.dropFirst(module?.count ?? 0))
    }

    /// The type arguments of a generic type of the standard library.
    func genericArguments(of name: String) -> [TypeSyntax]? {
        let clause: GenericArgumentClauseSyntax?
        // Another module's is `Network::Result`.
        if let type = self.as(IdentifierTypeSyntax.self), type.name.text == name, self.nameInSwift.hasPrefix(name) {
            clause = type.genericArgumentClause
        } else if let type = self.as(MemberTypeSyntax.self), type.name.text == name,
            type.baseType.trimmedDescription == "Swift"
        {
            clause = type.genericArgumentClause
        } else {
            return nil
        }
        return clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) }
    }

    /// Whether the type is of errors, as far as a name tells.
    var isError: Bool {
        if let wrapped = self.optionalWrapped ?? self.inParentheses { return wrapped.isError }
        if let existential = self.as(SomeOrAnyTypeSyntax.self) { return existential.constraint.isError }
        if let all = self.as(CompositionTypeSyntax.self) { return all.elements.contains(where: \.type.isError) }
        if let type = self.as(IdentifierTypeSyntax.self) { return type.name.text.hasSuffix("Error") }
        if let type = self.as(MemberTypeSyntax.self) { return type.name.text.hasSuffix("Error") }
        return false
    }

    /// Whether it is an error for certain, of Swift's or of Foundation's.
    ///
    /// Any other type may only be called like one.
    var isCertainlyError: Bool {
        if let wrapped = self.optionalWrapped ?? self.inParentheses { return wrapped.isCertainlyError }
        if let existential = self.as(SomeOrAnyTypeSyntax.self) { return existential.constraint.isCertainlyError }
        if let all = self.as(CompositionTypeSyntax.self) {
            return all.elements.contains(where: \.type.isCertainlyError)
        }
        let names = ["Error", "CancellationError", "NSError", "CocoaError", "URLError", "POSIXError"]
        return names.contains(self.nameInSwift)
    }

    /// The type as an expression may name it: `(any P).self` wants its parentheses.
    var metatype: String {
        let text = self.inExpression.trimmedDescription
        switch self.kind {
        case .identifierType, .memberType, .tupleType, .arrayType, .dictionaryType, .optionalType: return text + ".self"
        default: return "(\(text)).self"
        }
    }

    /// Whether it mentions a pack, `repeat each T`.
    var mentionsPack: Bool { self.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.repeat) } }

    /// Whether it mentions an opaque type, `some P`.
    var mentionsOpaque: Bool { self.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.some) } }
}
#endif
