// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// Everything that decides how the `async` twin of a function with a completion handler looks.
///
/// The twin is one call of `withCallback`: what is hard stays in the library.
struct AsyncTwin {
    let function: FunctionDeclSyntax
    let options: TwinOptions
    let surroundings: Surroundings
    let name: String
    let found: CompletionSearch.Found
    let genericErrors: GenericErrors
    let answer: Answer
    let handle: ReturnedHandle
    let parameters: ForwardedParameters

    init(of function: FunctionDeclSyntax, _ options: TwinOptions, in surroundings: Surroundings) throws(Refusal) {
        self.function = function
        self.options = options
        self.surroundings = surroundings
        self.name = options.name ?? (options.hasSuffix ? function.name.text.withSuffix("Async") : function.name.text)
        self.found = try CompletionSearch(function, options).found()
        self.genericErrors = GenericErrors(of: function, without: self.found.omitted)
        self.answer = Answer(try Self.shape(self.found, function, options, self.genericErrors))
        self.handle = try ReturnedHandle(of: function, options, in: surroundings)
        self.parameters = try ForwardedParameters(function, options, in: surroundings)
        try self.checkOptions()
        try function.checkThatGenericsAreTold(
            without: self.omitted,
            erasing: self.genericErrors.erased,
            returning: self.answer.returnType
        )
    }

    private static func shape(
        _ found: CompletionSearch.Found,
        _ function: FunctionDeclSyntax,
        _ options: TwinOptions,
        _ errors: GenericErrors
    ) throws(Refusal) -> AnswerShape {
        var options = options
        for name in errors.all where options.aliases[name] == nil { options.aliases[name] = .parsed("any Swift.Error") }
        do throws(Refusal) {
            switch found {
            case .one(_, let handler):
                var shape = try AnswerShape(errors.erasing(handler), options)
                if !errors.erased.isEmpty { shape.tellErrors() }
                return shape
            case .pair(let success, let failure):
                return try AnswerShape(
                    success: errors.erasing(success.1),
                    failure: errors.erasing(failure.1),
                    options
                )
            }
        } catch {
            guard error.anchor.root.id != function.root.id else { throw error }
            // What an alias stands for is in no file.
            var refusal = error
            refusal.anchor = options.anchor(or: function.name)
            throw refusal
        }
    }

    /// The indices of the parameters that the twin does not have.
    var omitted: Set<Int> { self.found.omitted }

    var canThrow: Bool { self.options.ifInterrupted == nil }

    var twin: Twin {
        Twin(
            style: .asynchronous,
            signature: self.function.signature(named: self.name, without: self.omitted),
            identity: self.function.identity(
                named: self.name,
                without: self.omitted,
                generics: self.genericErrors,
                returning: self.answer.returnType
            ),
            source: self.source.text
        )
    }

    // MARK: Source

    var source: FunctionSource {
        var source = FunctionSource(of: self.function, named: self.name, in: self.surroundings) {
            self.function.labels($0, without: self.omitted)
        }
        source.documentation = self.documentation(saysThatItThrows: self.canThrow)
        if self.options.isNonsending {
            source.modifiers.removeAll { $0 == "nonisolated" }
            source.modifiers.append("nonisolated(nonsending)")
        }
        source.generics = self.genericErrors.generics
        source.requirements = self.genericErrors.requirements
        source.parameters = self.kept.map { $0.declaration() }
        source.effects = self.canThrow ? "async throws" : "async"
        source.returnType = self.returnType
        source.body = self.body
        return source
    }

    /// What the twin returns: what is not `Sendable` leaves an actor only as `sending`.
    private var returnType: String? {
        guard let type = self.answer.returnType else { return nil }
        let isSent = (self.options.isUnchecked || self.answer.isSent) && !TypeSyntax.parsed(type).isKnownToBeSendable
        return isSent ? "sending \(type)" : type
    }

    /// The parameters that the twin has.
    var kept: [ForwardedParameters.Parameter] {
        self.parameters.all.enumerated().filter { !self.omitted.contains($0.offset) }.map(\.element)
    }

    private var body: String {
        let callback = self.parameters.unique("callback", without: self.omitted)
        var call = self.call(callback)
        if case .ignored = self.handle { call = "_ = " + call }
        var text = self.canThrow ? "try await " : "await "
        text += "\(HubNames.withCallback)(\(self.arguments)) { \(callback) in\n\(call.indented)\n}"
        if case .cancelled(let closure) = self.handle { text += " \(HubNames.onCancel): \(closure)" }
        return text
    }

    private var arguments: String {
        var arguments = ["\(HubNames.valueType): \(self.answer.metatype)"]
        if let value = self.options.ifInterrupted {
            arguments.append("\(HubNames.ifInterrupted): { _ in \(value) }")
        }
        if self.options.isCooperative { arguments.append(HubNames.cooperative) }
        if let timeout = self.options.timeout { arguments.append("\(HubNames.timeout): \(timeout)") }
        return arguments.joined(separator: ", ")
    }

    private func call(_ callback: String) -> String {
        let unchecked = self.options.isUnchecked
        let arguments = self.parameters.all.enumerated().map { index, parameter in
            switch self.found {
            case .one(index, _), .pair((index, _), _):
                parameter.argument(self.answer.handler(of: callback, unchecked: unchecked))
            case .pair(_, (index, _)):
                parameter.argument(self.answer.failureHandler(of: callback, unchecked: unchecked))
            case .one, .pair: parameter.argument()
            }
        }
        let receiver = self.surroundings.place == .file ? "" : "self."
        let words = (self.function.canThrow ? "try " : "") + (self.parameters.areUnsafe ? "unsafe " : "")
        let start = words + receiver + self.function.name.text
        return FunctionSource.list(start, arguments)
    }

    // MARK: Documentation

    /// The comment, for a twin that waits and throws, or for one that does not.
    func documentation(saysThatItThrows: Bool) -> [String] {
        var comment = DocComment(of: self.function)
        guard !comment.isEmpty else { return [] }
        for index in self.omitted {
            comment.removeParameter(self.parameters.all[index].syntax.innerName.withoutBackticks)
        }
        comment.removeField("returns")
        let original = self.function.signature(named: self.function.name.text)
        if self.answer.returnType != nil {
            comment.addField("Returns", "What ``\(original)`` calls back with.")
        }
        if !saysThatItThrows {
            comment.removeField("throws")
        } else if !comment.hasField("throws") {
            let error = self.answer.canFail ? "Its error, " : ""
            comment.addField("Throws", "\(error)`CancellationError`, or `BridgeFault` if it never calls back.")
        }
        return comment.source
    }
}
#endif
