// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// Finds the parameters through which a function calls back.
struct CompletionSearch {
    /// What was found, by the index of the parameter.
    enum Found {
        case one(Int, FunctionTypeSyntax)
        case pair(success: (Int, FunctionTypeSyntax), failure: (Int, FunctionTypeSyntax))

        /// The indices of the parameters that a twin does not have.
        var omitted: Set<Int> {
            switch self {
            case .one(let index, _): [index]
            case .pair(let success, let failure): [success.0, failure.0]
            }
        }
    }

    private let function: FunctionDeclSyntax
    private let options: TwinOptions
    private let parameters: [FunctionParameterSyntax]

    init(_ function: FunctionDeclSyntax, _ options: TwinOptions) {
        self.function = function
        self.options = options
        self.parameters = Array(function.signature.parameterClause.parameters)
    }

    func found() throws(Refusal) -> Found {
        let found = try self.handlerOrPair()
        guard case .one(let index, let function) = found, !self.options.hasValuesOnly else { return found }
        return try self.withHandlerForFailures(index, function)
    }

    private func handlerOrPair() throws(Refusal) -> Found {
        if let delivered = self.options.delivers { return .one(try self.parameterDelivering(), delivered) }
        if let name = self.options.completion { return try self.found(named: name) }
        let candidates = self.candidates
        if !self.options.hasValuesOnly, let pair = self.pair(candidates) { return pair }
        let likely = self.mostLikely(candidates)
        guard let first = likely.first else { throw self.refusal }
        guard likely.count == 1 else { throw self.severalCompletions(likely) }
        return try self.checked(first)
    }

    // MARK: Candidates

    private struct Candidate {
        let index: Int
        let type: HandlerType
        let names: CompletionNames
    }

    /// All parameters that are functions.
    private var candidates: [Candidate] {
        self.parameters.enumerated().compactMap { index, parameter in
            guard let type = self.handler(parameter), !type.isAutoclosure, !parameter.type.isInout else { return nil }
            return Candidate(index: index, type: type, names: CompletionNames(parameter))
        }
    }

    private func handler(_ parameter: FunctionParameterSyntax) -> HandlerType? {
        HandlerType(parameter.type, aliases: self.options.aliases)
    }

    /// Those with the name that says most.
    private func mostLikely(_ candidates: [Candidate]) -> [Candidate] {
        let strong = candidates.filter { $0.names.saysCompletion }
        if !strong.isEmpty { return strong }
        let useful = candidates.filter { $0.type.isEscaping && $0.type.returnsNothing && !$0.names.saysOften }
        let weak = useful.filter { $0.names.saysHandler }
        if !weak.isEmpty { return weak }
        // Nobody has looked at the function. What a handler gets may tell.
        guard self.options.isCautious else { return useful }
        return useful.filter { $0.names.saysNothing && !self.function.mayRegister || $0.type.getsResult }
    }

    private func pair(_ candidates: [Candidate]) -> Found? {
        let escaping = candidates.filter(\.type.isEscaping)
        let successes = escaping.filter { $0.names.saysSuccess }
        let failures = escaping.filter { $0.names.saysFailure }
        guard successes.count == 1, failures.count == 1, successes[0].index != failures[0].index else { return nil }
        return .pair(
            success: (successes[0].index, successes[0].type.function),
            failure: (failures[0].index, failures[0].type.function)
        )
    }

    /// Adds the handler that is told of failures, if there is one: without it the twin would not learn of them.
    private func withHandlerForFailures(_ index: Int, _ function: FunctionTypeSyntax) throws(Refusal) -> Found {
        let others = self.parameters.indices.filter { $0 != index && CompletionNames(self.parameters[$0]).saysFailure }
        if let alias = others.first(where: { self.isAlias(self.parameters[$0]) }) {
            throw self.aliasedPair(self.parameters[index], self.parameters[alias])
        }
        let handlers = self.candidates.filter { others.contains($0.index) && $0.type.isEscaping }
        guard handlers.count == 1, let shape = try? AnswerShape(function, self.options), !shape.canFail else {
            return .one(index, function)
        }
        return .pair(success: (index, function), failure: (handlers[0].index, handlers[0].type.function))
    }

    private func checked(_ candidate: Candidate) throws(Refusal) -> Found {
        let parameter = self.parameters[candidate.index]
        guard !candidate.type.isCFunction else {
            throw Refusal(
                .cFunction,
                """
                '\(parameter.innerName)' is a C function, which cannot know whom to answer. Write the bridge by hand, \
                with what the function passes on to it
                """,
                at: parameter.type
            )
        }
        guard candidate.type.isEscaping else {
            throw Refusal(
                .notEscaping,
                """
                '\(parameter.innerName)' is not escaping, so '\(self.name)' calls it before it returns, and async \
                code can call '\(self.name)' as it is. If it does keep it, add '@escaping'
                """,
                at: parameter.type,
                cures: [
                    .init("add '@escaping'", replacing: parameter.type, with: parameter.type.addingEscaping)
                ]
            )
        }
        return .one(candidate.index, candidate.type.function)
    }

    // MARK: Said by the user

    private func found(named name: String) throws(Refusal) -> Found {
        guard let index = self.parameters.firstIndex(where: { $0.isCalled(name) }) else {
            throw Refusal(
                .argumentDoesNotFit,
                "'\(self.name)' has no parameter '\(name)'",
                at: self.options.anchor(or: self.function.name)
            )
        }
        guard let type = self.handler(self.parameters[index]) else { throw self.aliased(self.parameters[index]) }
        guard !type.isAutoclosure, !self.parameters[index].type.isInout else {
            throw Refusal(
                .argumentDoesNotFit,
                "'\(name)' is \(type.isAutoclosure ? "an expression" : "changed by '\(self.name)'"), and no handler",
                at: self.parameters[index].type
            )
        }
        return try self.checked(.init(index: index, type: type, names: CompletionNames(self.parameters[index])))
    }

    /// The parameter whose type `delivers:` spells out.
    private func parameterDelivering() throws(Refusal) -> Int {
        if let name = self.options.completion {
            if let index = self.parameters.firstIndex(where: { $0.isCalled(name) }) { return index }
        } else {
            let aliases = self.parameters.indices.filter { self.handler(self.parameters[$0]) == nil }
            let named = aliases.filter {
                self.isAlias(self.parameters[$0]) && !CompletionNames(self.parameters[$0]).saysFailure
            }
            let written = self.mostLikely(self.candidates).map(\.index)
            if let only = [named, written, aliases].first(where: { $0.count == 1 })?.first { return only }
        }
        throw Refusal(
            .severalCompletions,
            "which parameter does 'delivers:' describe? Add 'completion:' with its name",
            at: self.options.anchor(or: self.function.name)
        )
    }

    // MARK: Refusals

    private var name: String { self.function.name.text }

    private var refusal: Refusal {
        let aliases = self.parameters.filter(self.isAlias)
        if let alias = aliases.first(where: { CompletionNames($0).saysCompletion }) ?? aliases.first {
            return self.aliased(alias)
        }
        let often = self.candidates.filter { $0.type.isEscaping && $0.type.returnsNothing && $0.names.saysOften }
        if !often.isEmpty, !self.options.isCautious { return self.calledOften(often) }
        let unclear = self.candidates.filter { $0.type.isEscaping && $0.type.returnsNothing }
        if self.options.isCautious, let first = unclear.first { return self.unclear(self.parameters[first.index]) }
        return Refusal(
            .noCompletion,
            """
            '\(self.name)' is not async and has no completion handler: an escaping closure that returns nothing. There \
            is nothing to bridge
            """,
            at: self.function.name
        )
    }

    /// A macro of a whole type takes no closure for a handler whose name speaks of something to do.
    private func unclear(_ parameter: FunctionParameterSyntax) -> Refusal {
        Refusal(
            .unclearCompletion,
            """
            '\(parameter.innerName.withoutBackticks)' may be something to do, perhaps often. If it is called once with \
            the answer, write '@\(HubNames.bridged)' at '\(self.name)'
            """,
            at: parameter.firstName
        )
    }

    private func calledOften(_ candidates: [Candidate]) -> Refusal {
        let names = candidates.map { self.parameters[$0.index].innerName.withoutBackticks }
        return Refusal(
            .unclearCompletion,
            """
            '\(names[0])' is called like what is called many times, which a twin cannot wait for. If it is called \
            once, say that it is the completion handler: @Bridged(completion: "\(names[0])")
            """,
            at: self.parameters[candidates[0].index].firstName,
            cures: names.compactMap { self.options.cure(adding: "completion: \"\($0)\"") }
        )
    }

    /// A type as an argument of the macro: as a text where it may mention a generic parameter.
    private func argument(_ type: String) -> String {
        self.function.genericParameterClause == nil ? "(\(type)).self" : "\"\(type)\""
    }

    private func isAlias(_ parameter: FunctionParameterSyntax) -> Bool {
        guard self.handler(parameter) == nil else { return false }
        let names = CompletionNames(parameter)
        return CompletionNames.isAlias(parameter.type)
            || names.saysCompletion && !names.saysDetail && !parameter.type.isKnownToBeSendable
    }

    private func aliased(_ parameter: FunctionParameterSyntax) -> Refusal {
        let failures = self.parameters.filter { CompletionNames($0).saysFailure && self.isAlias($0) }
        if let failure = failures.first { return self.aliasedPair(parameter, failure) }
        return Refusal(
            .aliasedCompletion,
            """
            a macro cannot look into '\(parameter.type.trimmedDescription)'. Say what it stands for, as in \
            @Bridged(delivers: \(self.argument("(Result<Value, any Error>) -> Void")))
            """,
            at: parameter.type
        )
    }

    /// Both handlers have types that only their names tell, or the one for failures has.
    private func aliasedPair(_ success: FunctionParameterSyntax?, _ failure: FunctionParameterSyntax) -> Refusal {
        // One alias stands for one thing, also if both handlers have it.
        let other = success.flatMap { $0.type.aliasName == failure.type.aliasName ? nil : $0 }
        let pairs = [other.map { ($0, "Value") }, (failure, "any Error")].compactMap(\.self)
        let aliases = pairs.filter { self.handler($0.0) == nil }
            .map { "\"\($0.0.type.aliasName)\": \(self.argument("(\($0.1)) -> Void"))" }
        return Refusal(
            .aliasedCompletion,
            """
            '\(failure.innerName)' is told of failures, and a macro cannot look into \
            '\(failure.type.trimmedDescription)'. Say what stands behind the names, as in \
            @Bridged(aliases: [\(aliases.joined(separator: ", "))])
            """,
            at: failure.type
        )
    }

    private func severalCompletions(_ candidates: [Candidate]) -> Refusal {
        let names = candidates.map { self.parameters[$0.index].innerName.withoutBackticks }
        return Refusal(
            .severalCompletions,
            """
            \(names.map { "'\($0)'" }.joined(separator: " and ")) may both be the completion handler. Say which: \
            @Bridged(completion: "\(names[0])")
            """,
            at: self.function.name,
            cures: names.compactMap { self.options.cure(adding: "completion: \"\($0)\"") }
        )
    }
}

extension TypeSyntax {
    /// The name of an alias, without what is around it.
    fileprivate var aliasName: String {
        if let wrapped = self.optionalWrapped ?? self.inParentheses { return wrapped.aliasName }
        return self.as(AttributedTypeSyntax.self)?.baseType.aliasName ?? self.trimmedDescription
    }

    fileprivate var addingEscaping: TypeSyntax {
        var type = TypeSyntax.parsed("@escaping \(self.trimmedDescription)")
        type.leadingTrivia = self.leadingTrivia
        type.trailingTrivia = self.trailingTrivia
        return type
    }
}
#endif
