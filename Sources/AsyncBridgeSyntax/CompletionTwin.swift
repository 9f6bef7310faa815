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

    var signature: String { self.function.signature(named: self.name, adding: HubNames.completion) }

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
        source.parameters = self.parameters.all.map { $0.declaration(changingTypeTo: self.keptType($0.syntax.type)) }
        source.parameters.append(self.completionDeclaration(completion))
        source.returnType = HubNames.callHandle
        source.body = self.body(completion)
        return source
    }

    private var isOnAnActor: Bool { self.surroundings.place == .actor }

    private func completionDeclaration(_ name: String) -> String {
        let value = self.function.signature.returnClause?.type
        let type = value.map { $0.isVoid ? "Void" : $0.trimmedDescription } ?? "Void"
        var attributes = "@escaping @Sendable"
        if let actor = self.globalActor { attributes += " " + actor }
        let label = name == HubNames.completion ? name : "\(HubNames.completion) \(name)"
        return "\(label): \(attributes) (sending Swift.Result<\(type), any Swift.Error>) -> Void"
    }

    /// Where the function runs and, with it, the completion.
    private var globalActor: String? {
        if self.function.has(.nonisolated) { return nil }
        return self.function.attributes.written.first(where: \.isGlobalActor)?.trimmedDescription
            ?? self.surroundings.globalActor
    }

    /// The type of a parameter that is kept until the operation runs: `nil` if it may stay as it is.
    private func keptType(_ type: TypeSyntax) -> String? {
        guard let handler = HandlerType(type), !handler.isAutoclosure, type.optionalWrapped == nil else {
            return type.mayBeSent ? "sending \(type.trimmedDescription)" : nil
        }
        let attributes = type.as(AttributedTypeSyntax.self)?.attributes
        var text = type.trimmedDescription
        if attributes?.contains(named: "Sendable") != true { text = "@Sendable " + text }
        if attributes?.contains(named: "escaping") != true { text = "@escaping " + text }
        return text
    }

    private func body(_ completion: String) -> String {
        let arguments = self.parameters.all.map { $0.argument() }.joined(separator: ", ")
        let receiver = self.surroundings.place == .file ? "" : "self."
        let effects = self.function.canThrow ? "try await" : "await"
        let call = "\(effects) \(receiver)\(self.function.name.text)(\(arguments))"
        return "\(HubNames.callAsync) {\n\(call.indented)\n} \(HubNames.completion): {\n    \(completion)($0)\n}"
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

extension TypeSyntax {
    /// Whether `sending` would say nothing: a value of the standard library.
    private var isKnownToBeSendable: Bool {
        if let wrapped = self.optionalWrapped ?? self.as(ArrayTypeSyntax.self)?.element {
            return wrapped.isKnownToBeSendable
        }
        let names = [
            "Int", "UInt", "Double", "Float", "Bool", "String", "Character", "Duration", "Data", "Date", "URL",
        ]
        return names.contains(self.trimmedDescription)
    }

    /// Whether `sending` may stand in front of the type, and says something.
    fileprivate var mayBeSent: Bool {
        guard let attributed = self.as(AttributedTypeSyntax.self) else {
            return !self.is(PackExpansionTypeSyntax.self) && !self.isKnownToBeSendable
        }
        return attributed.specifiers.isEmpty && attributed.attributes.isEmpty
    }
}
#endif
