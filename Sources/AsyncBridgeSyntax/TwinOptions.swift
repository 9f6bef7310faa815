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
        /// The closure of `.cancel { … }`.
        case closure(ClosureExprSyntax)
        /// `.cancel(nil)`: it is ignored.
        case ignored
    }

    var handle = Handle.byType
    /// The type that an alias stands for.
    var delivers: FunctionTypeSyntax?
    /// What aliases stand for, by the name of the alias: function types, and types of what handlers get.
    var aliases: [String: TypeSyntax] = [:]
    /// The name of the completion's parameter.
    var completion: String?
    var isUnchecked = false
    var isNonsending = false
    /// Whether a cancelled task goes on waiting for the answer.
    var isCooperative = false
    /// Whether `nil` without an error is an answer.
    var nilIsAnswer = false
    /// Whether what a handler gets is neither an error nor a `Result`, whatever the types are called.
    var hasValuesOnly = false
    var addsFuture = false
    var addsPublisher = false
    /// Whether there is more to write than the twin itself.
    var addsOthers: Bool { self.addsFuture || self.addsPublisher }
    /// What the arguments mention by name, other than as members.
    var mentions: Set<String> = []
    /// In source form.
    var ifInterrupted: String?
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
    /// Refuses aliases that none of the functions mentions: a misspelt name would do nothing.
    static func checkThatAllAreUsed(
        _ aliases: [String: TypeSyntax],
        by functions: [FunctionDeclSyntax],
        and others: [TypeSyntax] = [],
        at anchor: some SyntaxProtocol
    ) throws(Refusal) {
        let types = functions.map { Syntax($0.signature.parameterClause) }
        let mentioned = (types + (others + aliases.values).map { Syntax($0) }).flatMap(\.mentionedTypes)
        guard let unused = aliases.keys.sorted().first(where: { !mentioned.contains($0) }) else { return }
        let place = functions.count == 1 ? "of '\(functions[0].name.text)'" : "here"
        let longer = mentioned.sorted().first { $0.hasSuffix(".\(unused)") }
        throw Refusal(
            .argumentDoesNotFit,
            """
            no parameter \(place) has the type '\(unused)', nor does a handler get it. Write the name as it is \
            written there\(longer.map { ": '\($0)'" } ?? "")
            """,
            at: anchor
        )
    }

    /// Where to report a mistake of the arguments.
    func anchor(or other: some SyntaxProtocol) -> Syntax { self.attribute.map { Syntax($0) } ?? Syntax(other) }

    /// The cure that adds an argument to the attribute, where Swift wants it among the others.
    func cure(adding argument: String) -> Refusal.Cure? {
        guard let attribute = self.attribute else { return nil }
        var all: [LabeledExprSyntax] = []
        if case .argumentList(let arguments)? = attribute.arguments { all = Array(arguments) }
        var texts = all.map(\.text)
        let rank = Self.rank(argument.prefix { $0.isLetter })
        let ranks = all.map { Self.rank(Substring($0.label?.text ?? "")) }
        if rank > 0, let index = ranks.firstIndex(of: rank) {
            let isList = texts[index].hasSuffix("]")
            let entry = argument.drop { $0 != "[" }.dropFirst()
            let list = texts[index].dropLast().replacing(/,?\s*$/, with: "")
            texts[index] = isList ? "\(list), \(entry)" : argument
        } else {
            texts.insert(argument, at: ranks.firstIndex { $0 > rank } ?? texts.count)
        }
        return attribute.cure("add '\(argument)'", arguments: texts)
    }

    /// The cure that removes arguments: `.optional`, `.cancel` with what it says, `timeout:` with its value.
    func cure(removing unwanted: [String]) -> Refusal.Cure? {
        guard let attribute = self.attribute, case .argumentList(let arguments)? = attribute.arguments else {
            return nil
        }
        let removed = arguments.filter { unwanted.contains($0.option) }
        guard !removed.isEmpty else { return nil }
        let rest = arguments.filter { !unwanted.contains($0.option) }
        let label = removed.map { "'\($0.option)'" }.joined(separator: " and ")
        return attribute.cure("remove \(label)", arguments: rest.map(\.text))
    }

    /// The cure that writes something else in an argument.
    func cure(writing new: String, insteadOf old: String, in option: String) -> Refusal.Cure? {
        guard let attribute = self.attribute, case .argumentList(let arguments)? = attribute.arguments else {
            return nil
        }
        let texts = arguments.map { $0.option == option ? $0.text.replacing(old, with: new) : $0.text }
        return attribute.cure("write '\(new)' instead of '\(old)'", arguments: texts)
    }

    /// The place of an argument by its label; 0 for those without.
    private static func rank(_ label: Substring) -> Int {
        (["completion", "delivers", "aliases", "timeout", "ifInterrupted"].firstIndex(of: label) ?? -1) + 1
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

extension LabeledExprSyntax {
    /// As it is written, without a comma.
    fileprivate var text: String { self.with(\.trailingComma, nil).trimmedDescription }

    /// What tells it from other arguments of a macro: `timeout:`, or `.cancel` without what it says.
    fileprivate var option: String {
        if let label = self.label { return label.text + ":" }
        let called = self.expression.as(FunctionCallExprSyntax.self)?.calledExpression ?? self.expression
        return called.trimmedDescription
    }
}

extension AttributeSyntax {
    /// The cure that changes its arguments.
    fileprivate func cure(_ label: String, arguments: [String]) -> Refusal.Cure {
        let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
        let new = "@\(self.attributeName.trimmedDescription)\(list)"
        return Refusal.Cure(label, replacing: self, with: self.replaced(by: new))
    }

    /// The cure that removes it.
    var removal: Refusal.Cure {
        let nothing = TokenSyntax(.identifier(""), leadingTrivia: self.leadingTrivia, presence: .present)
        return Refusal.Cure("remove '@\(self.attributeName.trimmedDescription)'", replacing: self, with: nothing)
    }

    fileprivate func replaced(by source: String) -> AttributeSyntax {
        var new = AttributeSyntax.parsed(source)
        new.leadingTrivia = self.leadingTrivia
        new.trailingTrivia = self.trailingTrivia
        return new
    }
}
#endif
