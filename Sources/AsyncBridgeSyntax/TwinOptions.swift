// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// What the user says about a twin: the arguments of `@Bridged`.
public struct TwinOptions {
    /// What becomes of the value that the function returns.
    enum Handle {
        /// It is cancelled, if its type looks like something that can be.
        case byType
        /// The closure of `.cancel { … }`, in source form.
        case closure(String)
        /// `.cancel(nil)`: it is ignored.
        case ignored
    }

    var handle = Handle.byType
    /// The type that an alias stands for.
    var delivers: FunctionTypeSyntax?
    /// The function types that aliases stand for, by the name of the alias.
    var aliases: [String: TypeSyntax] = [:]
    /// The name of the completion's parameter.
    var completion: String?
    var isUnchecked = false
    var isNonsending = false
    /// Whether a cancelled task goes on waiting for the answer.
    var isCooperative = false
    /// Whether `nil` without an error is an answer.
    var nilIsAnswer = false
    var addsFuture = false
    var addsPublisher = false
    /// In source form.
    var ifDropped: String?
    /// In source form.
    var timeout: String?
    /// The name of the twin; `nil` is that of the function.
    var name: String?
    /// Whether the twin's name ends with "Async".
    var hasSuffix = false
    /// Whether only what is named like a completion may be one: for whole types and packages.
    var isCautious = false
    /// The attribute, for cures that add an argument to it.
    var attribute: AttributeSyntax?

    /// The options of `@Bridged` without arguments.
    public init() {}

    /// The options for functions that nobody has looked at: what only may be a completion is none.
    public static var cautious: TwinOptions {
        var options = TwinOptions()
        options.isCautious = true
        return options
    }
}

extension TwinOptions {
    /// Where to report a mistake of the arguments.
    func anchor(or other: some SyntaxProtocol) -> Syntax { self.attribute.map { Syntax($0) } ?? Syntax(other) }

    /// The cure that adds an argument to the attribute.
    func cure(adding argument: String) -> Refusal.Cure? {
        guard let attribute = self.attribute else { return nil }
        let written = attribute.arguments?.trimmedDescription
        let all = [written, argument].compactMap { $0 }.joined(separator: ", ")
        let new = "@\(attribute.attributeName.trimmedDescription)(\(all))"
        return Refusal.Cure("add '\(argument)'", replacing: attribute, with: attribute.replaced(by: new))
    }

    /// The cure that gives the twin a name.
    func cure(naming name: String) -> Refusal.Cure? {
        guard let attribute = self.attribute else { return nil }
        let written = attribute.arguments?.trimmedDescription
        let all = ["\"\(name)\"", written].compactMap { $0 }.joined(separator: ", ")
        let new = "@\(HubNames.bridgedAs)(\(all))"
        return Refusal.Cure("write '\(new)'", replacing: attribute, with: attribute.replaced(by: new))
    }
}

extension AttributeSyntax {
    fileprivate func replaced(by source: String) -> AttributeSyntax {
        var new = AttributeSyntax.parsed(source)
        new.leadingTrivia = self.leadingTrivia
        new.trailingTrivia = self.trailingTrivia
        return new
    }
}
#endif
