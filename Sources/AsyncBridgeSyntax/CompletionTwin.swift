// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// Everything that decides how the twin with a completion handler of an `async` function looks.
///
/// The twin is one call of `callAsync`, whose handle it returns.
struct CompletionTwin {
    let function: FunctionDeclSyntax
    let options: TwinOptions
    let surroundings: Surroundings
    let name: String
    let parameters: ForwardedParameters

    init(of function: FunctionDeclSyntax, _ options: TwinOptions, in surroundings: Surroundings) throws(Refusal) {
        self.function = function
        self.options = options
        self.surroundings = surroundings
        self.name = options.name ?? function.name.text
        self.parameters = try ForwardedParameters(function, options, in: surroundings)
        try self.check()
    }

    var twin: Twin {
        Twin(
            style: .completion,
            signature: self.function.signature(named: self.name, adding: HubNames.completion),
            identity: self.function.identity(named: self.name, adding: HubNames.completion),
            source: self.source.text
        )
    }

    // MARK: Source

    var source: FunctionSource {
        var source = FunctionSource(of: self.function, named: self.name, in: self.surroundings) {
            $0 + [HubNames.completion]
        }
        source.documentation = self.documentation
        source.attributes.insert("@discardableResult", at: 0)
        source.modifiers.removeAll { $0 == "nonisolated(nonsending)" }
        if self.function.isOutsideOfActors, !source.modifiers.contains("nonisolated") {
            source.modifiers.append("nonisolated")
        }
        if self.isOnAnActor, !source.modifiers.contains(where: { ["nonisolated", "static"].contains($0) }) {
            source.modifiers.append("nonisolated")
        }
        let completion = self.parameters.unique(HubNames.completion)
        source.parameters = self.parameters.all.map { $0.declaration(changingTypeTo: $0.syntax.type.keptOnce) }
        source.parameters.append(self.completionDeclaration(completion))
        source.returnType = HubNames.callHandle
        if !self.options.isUnchecked { source.requireSendableMetatypes(of: self.function, in: self.surroundings) }
        source.body = self.body(completion)
        return source
    }

    private var isOnAnActor: Bool {
        self.surroundings.place == .actor && !self.function.attributes.written.contains(where: \.isActorOfFunction)
    }

    private func completionDeclaration(_ name: String) -> String {
        let type = self.valueType
        var attributes = "@escaping @Sendable"
        if let actor = self.globalActor { attributes += " " + actor }
        let label = name == HubNames.completion ? name : "\(HubNames.completion) \(name)"
        // `sending` alone is not enough for what cannot be copied, and a name does not tell.
        let words = self.valueMayBeTheOnlyOne ? "consuming sending" : "sending"
        return "\(label): \(attributes) (\(words) Swift.Result<\(type), any Swift.Error>) -> \(HubNames.void)"
    }

    /// What the completion gets, in source form.
    var valueType: String {
        guard let type = self.function.signature.returnClause?.type, !type.isVoid else { return HubNames.void }
        return type.asValue.naming(self.surroundings.className).trimmedDescription
    }

    /// Whether the function returns what may be `~Copyable`, as far as its type tells.
    private var valueMayBeTheOnlyOne: Bool {
        guard let type = self.function.signature.returnClause?.type, !type.isVoid else { return false }
        let clauses = [Syntax(self.function.genericParameterClause), Syntax(self.function.genericWhereClause)]
        let isCopyable = clauses.allSatisfy { $0?.description.contains("~") != true }
        let generics = self.function.genericParameterClause?.parameters.map(\.name.text) ?? []
        return !type.asValue.isCopyable(withGenerics: isCopyable ? generics : [])
    }

    /// Where the function runs and, with it, the completion.
    private var globalActor: String? {
        if self.function.isOutsideOfActors { return nil }
        return self.function.attributes.written.first(where: \.isActorOfFunction)?.trimmedDescription
            ?? self.surroundings.globalActor
    }

    private func body(_ completion: String) -> String {
        let arguments = self.parameters.all.map { $0.argument() }.joined(separator: ", ")
        // In an operation of its own nothing else tells a generic parameter that is in the result alone.
        let isUntold = self.options.isUnchecked && self.function.resultAloneTells(without: [], erasing: [])
        let call = "\(self.function.name.text)(\(arguments))\(isUntold ? " as \(self.valueType)" : "")"
        let parts =
            self.options.isUnchecked ? self.uncheckedWork(call) : (start: "", work: self.effects + self.receiver + call)
        return parts.start
            + "\(HubNames.callAsync) {\n\(parts.work.indented)\n} \(HubNames.completion): {\n    \(completion)($0)\n}"
    }

    private var effects: String {
        (self.function.canThrow ? "try await " : "await ") + (self.parameters.areUnsafe ? "unsafe " : "")
    }

    private var receiver: String { self.surroundings.place == .file ? "" : "self." }

    /// The call with `self` and a result that nothing else uses, as is promised, and what stands in front of the task.
    private func uncheckedWork(_ call: String) -> (start: String, work: String) {
        if self.isOnAnActor, self.surroundings.isolates(self.function) { return self.workOnActor(call) }
        guard self.surroundings.isolates(self.function) else {
            // The task must not mention generic parameters or `Self`, whose metatypes need not be Sendable. With 6.2 an
            // unsafe constant would not do.
            let name = self.parameters.unique("operation")
            let operation = "{ () async throws in\n    \(self.effects)\(self.receiver)\(call)\n}"
            return (
                "let \(name) = unsafe \(HubNames.sending) \(operation)\nreturn ",
                "try await unsafe \(HubNames.sending)(\(name)())"
            )
        }
        let name = self.parameters.unique("receiver")
        let isMember = !self.receiver.isEmpty
        let start = isMember ? "let \(name) = unsafe \(HubNames.sending)(self)\nreturn " : ""
        let call = (isMember ? name + "." : "") + call
        let effects = self.function.canThrow ? "try await " : "await "
        guard let type = self.function.signature.returnClause?.type, !type.isVoid, !type.isKnownToBeSendable else {
            return (start, self.effects + call)
        }
        // It leaves the actor of the task.
        return (start, "\(effects)unsafe \(HubNames.sending)(\(call))")
    }

    /// The task of an actor's twin, which any code may call, is not on the actor.
    private func workOnActor(_ call: String) -> (start: String, work: String) {
        let name = self.parameters.unique("operation")
        let receiver = self.parameters.unique("receiver")
        let effects = self.function.canThrow ? "try await " : "await "
        let type = self.surroundings.typeName ?? "Self"
        let work = "\(effects)unsafe \(HubNames.leaving)(\(receiver).\(call))"
        // A constant of its own: 6.2 cannot check a closure of this kind as an argument.
        let body = self.parameters.unique("body")
        let operation = "{ (\(receiver): isolated \(type)) async throws in\n\(work.indented)\n}"
        return (
            "let \(body) = \(operation)\nlet \(name) = unsafe \(HubNames.sending)(\(body))\nreturn ",
            "try await unsafe \(HubNames.sending)(\(name)(self).take())"
        )
    }

    // MARK: Documentation

    private var documentation: [String] {
        var comment = DocComment(of: self.function)
        guard !comment.isEmpty else { return [] }
        comment.removeField("returns")
        comment.removeField("throws")
        let original = self.function.signature(named: self.function.name.text)
        comment.addParameter(HubNames.completion, "Gets what ``\(original)`` returns or throws. Is called once.")
        comment.addField("Returns", "A handle to cancel with.")
        return comment.source
    }
}
#endif
