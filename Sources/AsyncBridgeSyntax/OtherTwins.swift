// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// The twins that return a future or a publisher: each starts a task with the async function.
///
/// Their names have a suffix: `load() -> CoFuture` beside `load() async` would make `let f = load()` an error in async
/// code.
struct OtherTwins {
    /// The async function, as it is called: with its arguments.
    private let call: String
    private let valueType: String
    private let source: FunctionSource
    private let function: FunctionDeclSyntax
    private let omitted: Set<Int>
    private let options: TwinOptions
    private let baseName: String

    /// For the twin that was made out of a function with a completion handler.
    init(_ twin: AsyncTwin) {
        let arguments = twin.kept.map { $0.argument() }.joined(separator: ", ")
        let receiver = twin.surroundings.place == .file ? "" : "self."
        self.call = "\(twin.canThrow ? "try " : "")await \(receiver)\(twin.name)(\(arguments))"
        self.valueType = twin.answer.returnType ?? HubNames.void
        var source = twin.source
        source.documentation = twin.documentation(saysThatItThrows: false)
        source.parameters = twin.kept.map { $0.declaration(changingTypeTo: $0.syntax.type.keptOften) }
        source.requireSendableMetatypes(of: twin.function, in: twin.surroundings)
        self.source = source
        self.function = twin.function
        self.omitted = twin.omitted
        self.options = twin.options
        self.baseName = twin.function.name.text
    }

    /// For a function that is async itself.
    init(_ twin: CompletionTwin) {
        let function = twin.function
        let arguments = twin.parameters.all.map { $0.argument() }.joined(separator: ", ")
        let receiver = twin.surroundings.place == .file ? "" : "self."
        self.call = "\(function.canThrow ? "try " : "")await \(receiver)\(function.name.text)(\(arguments))"
        self.valueType = twin.valueType
        var source = twin.source
        var comment = DocComment(of: function)
        comment.removeField("throws")
        source.documentation = comment.source
        source.attributes.removeAll { $0 == "@discardableResult" }
        source.parameters = twin.parameters.all.map { $0.declaration(changingTypeTo: $0.syntax.type.keptOften) }
        self.source = source
        self.function = function
        self.omitted = []
        self.options = twin.options
        self.baseName = function.name.text
    }

    var all: [Twin] {
        var twins: [Twin] = []
        if self.options.addsFuture { twins.append(self.twin(.future, "Future", HubNames.future)) }
        if self.options.addsPublisher { twins.append(self.twin(.publisher, "Publisher", HubNames.publisher)) }
        return twins
    }

    private func twin(_ style: Twin.Style, _ suffix: String, _ type: String) -> Twin {
        var source = self.source
        source.name = self.baseName.withSuffix(suffix)
        source.effects = ""
        source.modifiers.removeAll { $0 == "nonisolated(nonsending)" }
        let failure = style == .publisher ? ", any Swift.Error" : ""
        source.returnType = "\(type)<\(self.valueType)\(failure)>"
        let throwing = style == .publisher ? "(throwing: (any Swift.Error).self)" : ""
        source.body = "\(type)\(throwing) {\n\(self.call.indented)\n}"
        return Twin(
            style: style,
            signature: self.function.signature(named: source.name, without: self.omitted),
            identity: self.function.identity(named: source.name, without: self.omitted, returning: source.returnType),
            source: source.text
        )
    }
}
#endif
