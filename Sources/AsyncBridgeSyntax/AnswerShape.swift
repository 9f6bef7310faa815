// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// What a completion handler is called with.
enum AnswerShape {
    /// `(Result<Value, Failure>) -> Void`
    case result(AnswerResult)
    /// `(A?, B?, (any Error)?) -> Void`; without values `((any Error)?) -> Void`; or with the error elsewhere.
    case valuesAndError([AnswerValue], AnswerError)
    /// `(A, B) -> Void`; without values `() -> Void`: it cannot fail.
    case values([AnswerValue])
    /// `success: (A) -> Void, failure: (any Error) -> Void`
    case pair([AnswerValue], FailureHandler)
}

/// The `Result` that a handler gets.
struct AnswerResult {
    /// As it is written.
    let type: TypeSyntax
    let value: TypeSyntax
    let failure: TypeSyntax
    /// Whether there may be none, which is no answer.
    let isOptional: Bool
    /// Whether the handler gets it as `sending`.
    let isSent: Bool
    /// Whether the function is generic over the error, and only the handler's type tells it which one it is.
    var tellsError = false

    var canFail: Bool { self.isOptional || self.failure.nameInSwift != "Never" }
}

/// One value that a handler is called with.
struct AnswerValue {
    /// Its type, without the `?` that only says that there may be an error instead.
    let type: TypeSyntax
    let label: String?
    /// Whether the handler gets it as an optional, which is unwrapped.
    let isUnwrapped: Bool
    /// Whether the handler gets it as `sending`.
    var isSent = false
}

/// The error that a handler gets beside values.
struct AnswerError {
    let type: TypeSyntax
    /// Its place among the parameters.
    let index: Int
    /// Whether it is an error for certain, and not only called like one.
    let isCertain: Bool
}

/// The handler for failures, where there is another one for success.
struct FailureHandler {
    let hasOptionalError: Bool
    /// Whether it gets an error for certain, and not what is only called like one.
    let isCertain: Bool
}

extension AnswerShape {
    var canFail: Bool {
        switch self {
        case .result(let result): result.canFail
        case .valuesAndError, .pair: true
        case .values: false
        }
    }

    /// Reads what a handler is called with.
    ///
    /// - Throws: ``Refusal``, if no async function can return it.
    init(_ handler: FunctionTypeSyntax, _ options: TwinOptions = TwinOptions()) throws(Refusal) {
        let parameters = try Self.parameters(of: handler, options)
        let errors = parameters.indices.filter { parameters[$0].type.isError }
        if options.hasValuesOnly {
            self = .values(parameters.map(AnswerValue.init(alone:)))
        } else if parameters.count == 1, let result = try parameters[0].result(options) {
            self = .result(result)
        } else if errors.count > 1 {
            throw .severalErrors(handler, options)
        } else if let index = errors.first, parameters[index].type.optionalWrapped?.optionalWrapped != nil {
            throw .errorMissingTwice(parameters[index].written)
        } else if let index = errors.first, parameters[index].type.optionalWrapped != nil {
            let error = AnswerError(
                type: parameters[index].written,
                index: index,
                isCertain: parameters[index].type.isCertainlyError
            )
            let values = parameters.indices.filter { $0 != index }.map { parameters[$0] }
            try Self.checkThatTheyDoNotFail(values, options)
            self = .valuesAndError(values.map(AnswerValue.init(besideAnError:)), error)
        } else if parameters.count == 1, !errors.isEmpty {
            throw .errorAlone(parameters[0].written, handler, options)
        } else {
            try Self.checkThatTheyDoNotFail(parameters, options)
            self = .values(parameters.map(AnswerValue.init(alone:)))
        }
        try self.checkCount(at: handler)
        if options.nilIsAnswer { self.keepNil() }
    }

    /// The handler alone tells the function what its generic errors are.
    mutating func tellErrors() {
        guard case .result(var result) = self else { return }
        result.tellsError = true
        self = .result(result)
    }

    /// `nil` in the place of one value is an answer.
    private mutating func keepNil() {
        guard case .valuesAndError(let values, let error) = self, error.index == 1, values.count == 1,
            values[0].isUnwrapped
        else { return }
        let optional = TypeSyntax.parsed(values[0].type.optional)
        self = .valuesAndError([.init(type: optional, label: nil, isUnwrapped: false)], error)
    }

    /// Reads a handler for success and one for failure.
    ///
    /// - Throws: ``Refusal``, if no async function can return or throw what they get.
    init(success: FunctionTypeSyntax, failure: FunctionTypeSyntax, _ options: TwinOptions) throws(Refusal) {
        let successes = try Self.parameters(of: success, options)
        try Self.checkThatTheyDoNotFail(successes, nil)
        let values = successes.map(AnswerValue.init(alone:))
        let errors = try Self.parameters(of: failure, options)
        if errors.count == 1, !errors[0].type.isError { throw .unknownError(errors[0].written, options) }
        guard errors.count == 1 else {
            throw Refusal(
                .failureWithoutError,
                """
                the handler for failure must get one error, and nothing else, for the twin to throw. Write the bridge \
                with withCallback, and throw an error of yours there
                """,
                at: failure
            )
        }
        let error = errors[0].type
        if error.optionalWrapped?.optionalWrapped != nil { throw .errorMissingTwice(errors[0].written) }
        self = .pair(
            values,
            FailureHandler(hasOptionalError: error.optionalWrapped != nil, isCertain: error.isCertainlyError)
        )
    }

    /// Refuses to return what says that the work has failed, and offers '.values' if there are options to add it to.
    private static func checkThatTheyDoNotFail(
        _ values: [HandlerParameter],
        _ options: TwinOptions?
    ) throws(Refusal) {
        if let value = values.first(where: \.type.saysFailure) {
            throw .failureBesideValues(value.written, options)
        }
    }

    private static func parameters(
        of handler: FunctionTypeSyntax,
        _ options: TwinOptions
    ) throws(Refusal) -> [HandlerParameter] {
        if !handler.returnClause.type.isVoid {
            throw Refusal(
                .handlerReturns,
                """
                the handler returns '\(handler.returnClause.type.trimmedDescription)' to the function that calls it; \
                an async function that has returned can give nothing back. Write the bridge by hand with withCallback
                """,
                at: handler.returnClause
            )
        }
        if let effects = handler.effectSpecifiers, effects.asyncSpecifier != nil || effects.throwsClause != nil {
            throw Refusal(
                .handlerSuspends,
                """
                the handler is '\(effects.trimmedDescription)', so the function waits for what it does. Write the \
                bridge by hand with withCallback
                """,
                at: effects
            )
        }
        let parameters = Array(handler.parameters)
        if let pack = parameters.first(where: { $0.type.mentionsPack }) {
            throw Refusal(
                .packOfValues,
                "a pack has any number of values, which no handler of AsyncBridge takes. Write the bridge by hand",
                at: pack
            )
        }
        if let nested = parameters.lazy.compactMap({ HandlerType($0.type) }).first, nested.isResult {
            throw Refusal(
                .handlerNests,
                """
                the handler gets its result as a closure that returns or throws it. Write the bridge by hand with \
                withCallback, where it is { result in callback.resume(with: Result { try result() }) }
                """,
                at: nested.function
            )
        }
        if let nested = parameters.first(where: { HandlerType($0.type) != nil }) {
            throw Refusal(
                .handlerNests,
                """
                the handler gets a closure to answer with, and that must be called too. Write the bridge by hand with \
                withCallback, and decide there who calls it
                """,
                at: nested
            )
        }
        if let single = parameters.first(where: { $0.type.hasSpecifier(.consuming) || $0.type.hasSpecifier(.borrowing) }
        ) {
            throw Refusal(
                .notCopyable,
                """
                the handler gets '\(single.type.trimmedDescription)'. Of a value that cannot be copied there is only \
                one, and a wait does not hand it over: let the handler get a final class that holds it. If it can be \
                copied, remove the word
                """,
                at: single.type
            )
        }
        if let other = parameters.first(where: {
            $0.ellipsis != nil || $0.type.isInout || $0.type.hasSpecifier(.isolated)
        }) {
            throw Refusal(
                .handlerParameter,
                """
                the handler gets '\(other.trimmedDescription)', which an async function cannot return. Write the \
                bridge by hand with withCallback
                """,
                at: other
            )
        }
        return parameters.map { HandlerParameter($0, options) }
    }

    /// The hub has handlers for up to six values and an error.
    private func checkCount(at handler: FunctionTypeSyntax) throws(Refusal) {
        guard case .valuesAndError(let values, _) = self, values.count > 6 else { return }
        throw Refusal(
            .tooManyValues,
            "the handler gets \(values.count) values; a twin returns at most 6. Put them into a structure",
            at: handler.parameters
        )
    }
}

/// A parameter of a handler.
private struct HandlerParameter {
    /// What an alias stands for, if it is one.
    let type: TypeSyntax
    /// The type as it is written.
    let written: TypeSyntax
    /// Whether nothing else has the value.
    let isSent: Bool
    /// The name of a value: `(_ user: User, _ token: Token) -> Void`.
    let label: String?

    init(_ parameter: TupleTypeElementSyntax, _ options: TwinOptions) {
        self.written = parameter.type.asValue.withoutParentheses
        self.isSent = parameter.type.hasSpecifier(.sending)
        self.type = self.written.meaning(options.aliases).withoutParentheses
        let name = parameter.secondName ?? parameter.firstName
        self.label = name.flatMap { $0.tokenKind == .wildcard ? nil : $0.text.asLabel }
    }
}

extension HandlerParameter {
    /// The `Result` that it is; `nil` for anything else.
    func result(_ options: TwinOptions) throws(Refusal) -> AnswerResult? {
        let wrapped = self.type.optionalWrapped
        guard let types = (wrapped ?? self.type).genericArguments(of: "Result"), let value = types.first else {
            return nil
        }
        guard types.count == 2 else { throw .otherResult(wrapped ?? self.type, value, options) }
        return AnswerResult(
            type: self.type,
            value: value,
            failure: types[1],
            isOptional: wrapped != nil,
            isSent: self.isSent
        )
    }
}

extension TypeSyntax {
    /// The type itself, and what may be missing, without parentheses that only `any P` would need.
    fileprivate var withoutParentheses: TypeSyntax {
        if let inner = self.inParentheses, !inner.is(SomeOrAnyTypeSyntax.self), !inner.is(CompositionTypeSyntax.self) {
            return inner.withoutParentheses
        }
        return self
    }

    /// Whether it is an error or a `Result`, or one that may be missing, or a tuple with one.
    fileprivate var saysFailure: Bool {
        if let wrapped = self.optionalWrapped ?? self.inParentheses { return wrapped.saysFailure }
        if let array = self.as(ArrayTypeSyntax.self) { return array.element.saysFailure }
        if let tuple = self.as(TupleTypeSyntax.self) { return tuple.elements.contains(where: \.type.saysFailure) }
        return self.isError || self.genericArguments(of: "Result")?.count == 2
    }
}

extension TypeSyntax {
    /// What an alias stands for, also in `Alias?` and `any Alias`.
    fileprivate func meaning(_ aliases: [String: TypeSyntax]) -> TypeSyntax {
        if let meaning = self.named(aliases) { return meaning.asValue }
        guard let meaning = self.optionalWrapped?.named(aliases) else { return self }
        return .parsed(meaning.optional)
    }

    private func named(_ aliases: [String: TypeSyntax]) -> TypeSyntax? {
        aliases[self.trimmedDescription] ?? self.inParentheses?.named(aliases)
            ?? self.as(SomeOrAnyTypeSyntax.self)?.constraint.named(aliases)
    }
}

extension HandlerType {
    /// Whether a call of it is how a handler learns of a result: `() throws -> Value`.
    fileprivate var isResult: Bool {
        self.function.parameters.isEmpty && self.function.effectSpecifiers?.throwsClause != nil
    }
}

extension AnswerValue {
    fileprivate init(besideAnError parameter: HandlerParameter) {
        let wrapped = parameter.written.optionalWrapped ?? parameter.type.optionalWrapped
        self.init(type: wrapped ?? parameter.written, label: parameter.label, isUnwrapped: wrapped != nil)
    }

    fileprivate init(alone parameter: HandlerParameter) {
        self.init(
            type: parameter.written,
            label: parameter.label,
            isUnwrapped: false,
            isSent: parameter.isSent
        )
    }
}
#endif
