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
        self.parameters = try ForwardedParameters(function, in: surroundings)
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
        var source = FunctionSource(of: self.function, named: self.name, in: self.surroundings)
        source.documentation = self.documentation
        source.attributes.insert("@discardableResult", at: 0)
        source.modifiers.removeAll { $0 == "nonisolated(nonsending)" }
        if self.isOnAnActor, !source.modifiers.contains(where: { ["nonisolated", "static"].contains($0) }) {
            source.modifiers.append("nonisolated")
        }
        let completion = self.parameters.unique(HubNames.completion)
        source.parameters = self.parameters.all.map { $0.declaration(changingTypeTo: $0.syntax.type.keptOnce) }
        source.parameters.append(self.completionDeclaration(completion))
        source.returnType = HubNames.callHandle
        source.body = self.body(completion)
        return source
    }

    private var isOnAnActor: Bool {
        self.surroundings.place == .actor && !self.function.attributes.written.contains(where: \.isGlobalActor)
    }

    private func completionDeclaration(_ name: String) -> String {
        let type = self.valueType
        var attributes = "@escaping @Sendable"
        if let actor = self.globalActor { attributes += " " + actor }
        let label = name == HubNames.completion ? name : "\(HubNames.completion) \(name)"
        return "\(label): \(attributes) (sending Swift.Result<\(type), any Swift.Error>) -> Void"
    }

    /// What the completion gets, in source form.
    var valueType: String {
        guard let type = self.function.signature.returnClause?.type, !type.isVoid else { return "Void" }
        return type.asValue.naming(self.surroundings.className).trimmedDescription
    }

    /// Where the function runs and, with it, the completion.
    private var globalActor: String? {
        if self.function.has(.nonisolated) { return nil }
        return self.function.attributes.written.first(where: \.isGlobalActor)?.trimmedDescription
            ?? self.surroundings.globalActor
    }

    private func body(_ completion: String) -> String {
        let arguments = self.parameters.all.map { $0.argument() }.joined(separator: ", ")
        let receiver = self.surroundings.place == .file ? "" : "self."
        // For `.unchecked`: nothing else uses `self`.
        let kept = self.options.isUnchecked && !receiver.isEmpty ? self.parameters.unique("receiver") : nil
        let effects = self.function.canThrow ? "try await " : "await "
        let word = self.parameters.areUnsafe ? "unsafe " : ""
        let call = "\(self.function.name.text)(\(arguments))"
        let work: String
        var start = ""
        if kept != nil, self.surroundings.place == .protocol, !self.surroundings.isolates(self.function) {
            // The operation must not mention `Self`, whose metatype need not be Sendable.
            let name = self.parameters.unique("operation")
            start = "nonisolated(unsafe) let \(name) = { \(effects)\(word)self.\(call) }\nreturn "
            work = "\(effects)unsafe \(HubNames.sending)(\(name)())"
        } else {
            start = kept.map { "let \($0) = unsafe \(HubNames.sending)(self)\nreturn " } ?? ""
            work = self.work(effects, word + (kept.map { $0 + "." } ?? receiver) + call)
        }
        return start
            + "\(HubNames.callAsync) {\n\(work.indented)\n} \(HubNames.completion): {\n    \(completion)($0)\n}"
    }

    /// The call, whose result nothing else uses if that is promised.
    private func work(_ effects: String, _ call: String) -> String {
        guard self.options.isUnchecked, let type = self.function.signature.returnClause?.type, !type.isVoid,
            !type.isKnownToBeSendable
        else { return effects + call }
        guard self.surroundings.isolates(self.function) else { return "\(effects)unsafe \(HubNames.sending)(\(call))" }
        // It leaves an actor.
        return "nonisolated(unsafe) let result = \(effects)\(call)\nreturn unsafe \(HubNames.sending)(result)"
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
