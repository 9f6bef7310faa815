// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridgeSyntax
package import ExactlyOnce
import SwiftParser
import SwiftSyntax

/// A function with a completion handler, and what becomes of it.
package struct PlannedFunction: Sendable {
    /// The file, as it was given.
    package let path: String
    package let module: String
    let function: DeclaredFunction
    /// What the aliases that it mentions stand for.
    let meanings: [String: TypeSyntax]
    package let shape: Generator.Completion.Shape?
    /// The indices of its handlers among its parameters.
    let handlers: [Int]
    package let verdict: Verdict
    package internal(set) var decision: Decision
    /// The async function that is there already, if it has the labels of a twin.
    var existing: DeclaredFunction?
    package internal(set) var rung = Rung()
    /// The twin at the top of the ladder, which is asked for often; `nil` if there is none.
    var plainTwin: Twin?
    /// Whether that one has another name because callers may leave the completion out.
    var hasDefaultCompletion = false
    /// Whether it has another name because a synchronous function has its name and its parameters.
    private(set) var isBesideSynchronous = false
    /// For a requirement: the default arguments with which callers may call what implements it, by the index of the
    /// parameter.
    var defaults: [Int: InitializerClauseSyntax] = [:]

    /// The function with its type and its labels.
    package var title: String { function.title }
    package var location: Location { function.location }
    package var access: Access { function.access }
    package var name: String { function.isInitializer ? "init" : function.name }
    package var labels: [String] { function.labels }
    /// The type around, as an extension names it; empty for none.
    package var type: String { function.context.extended }

    package var isTwin: Bool {
        if case .twin = decision { true } else { false }
    }

    /// The twin of a rung, and whether callers may leave the completion out, so that it has another name anyway.
    func outcome(at rung: Rung) -> AsyncBridgeSyntax.Outcome {
        let options = Generator.CautiousOptions(
            aliases: meanings,
            isUnchecked: rung.isUnchecked,
            isUncancelled: rung.isUncancelled,
            hasSuffix: rung.isRenamed || isBesideSynchronous
        )
        return Generator.cautiousTwins(of: node, options, in: Surroundings(around: function.node))
    }

    /// The function as its twin is made of it.
    private var node: FunctionDeclSyntax {
        guard !defaults.isEmpty else { return function.node }
        var node = function.node
        let parameters = node.signature.parameterClause.parameters.enumerated().map { index, parameter in
            var parameter = parameter
            if parameter.defaultValue == nil { parameter.defaultValue = defaults[index] }
            return parameter
        }
        node.signature.parameterClause.parameters = FunctionParameterListSyntax(parameters)
        return node
    }

    /// Lets callers of the twin leave out what callers of the implementations may leave out.
    mutating func adopt(_ defaults: [Int: InitializerClauseSyntax]) {
        self.defaults = defaults
        writeAnew()
    }

    /// Gives the twin a name of its own: in async code, calls of a synchronous function would mean the twin.
    mutating func standBesideSynchronous() {
        isBesideSynchronous = true
        writeAnew()
    }

    private mutating func writeAnew() {
        let outcome = outcome(at: Rung())
        plainTwin = outcome.twins.first
        hasDefaultCompletion = outcome.refusals.contains { $0.reason == .defaultCompletion }
    }

    /// The twin of a rung, from the generator only if it is not known yet.
    private func twin(at rung: Rung) -> Twin? {
        let isPlain = !rung.isUnchecked && !rung.isUncancelled && !rung.isRenamed
        return isPlain ? plainTwin : outcome(at: rung).twins.first
    }

    /// The twin as it is now; `nil` if there is none.
    package var twin: Twin? { isTwin ? twin(at: rung) : nil }

    /// What the twin is called, without labels; `nil` if there is none.
    var twinName: String? { twin.map { String($0.signature.prefix { $0 != "(" }) } }

    /// Whether the twin has another name from the start.
    var isRenamedByDefault: Bool { !rung.isRenamed && (hasDefaultCompletion || isBesideSynchronous) }

    /// What is said of the twin in one word each: the verdict, and how it differs from a plain one.
    package var marks: [String] {
        guard isTwin else { return [] }
        var rung = rung
        rung.isRenamed = rung.isRenamed || isRenamedByDefault
        return [verdict.word] + rung.marks
    }
}

extension PlannedFunction {
    /// What tells it apart from the other functions of a type, but for what its handlers get.
    func identity(in type: String) -> String { "\(type) \(Generator.identity(of: function.node))" }

    /// The requirement that it implements: of several with this identity the one whose handlers get the same.
    func requirement(in functions: [PlannedFunction], _ indices: [Int]) -> Int? {
        guard indices.count > 1 else { return indices.first }
        return indices.first { functions[$0].handlerTypes == handlerTypes }
    }

    /// Whether its callers may leave out an argument, beside a handler, that those of another function must write.
    func hasOtherDefaults(than other: PlannedFunction) -> Bool {
        zip(function.parameters, other.function.parameters).enumerated().contains { index, pair in
            !handlers.contains(index) && pair.0.defaultValue != nil && pair.1.defaultValue == nil
        }
    }

    /// What its handlers get, as it is written.
    private var handlerTypes: [[String]] {
        let parameters = function.parameters
        return handlers.map { index in
            let type = parameters[index].type
            let types = type.handlerFunction(meanings)?.parameters.map(\.type) ?? [type]
            return types.map { $0.tokens(viewMode: .sourceAccurate).map(\.text).joined(separator: " ") }
        }
    }

    /// What the twin returns, as it is written; empty for nothing.
    var result: String {
        let node = twin.flatMap { Parser.parse(source: $0.source).all(FunctionDeclSyntax.self).first }
        return node?.signature.returnClause?.type.trimmedDescription ?? ""
    }
}

extension PlannedFunction {
    /// The declaration for another file: the twin in an extension, with everything that is around the original.
    func declaration(at rung: Rung) -> String? {
        guard let twin = twin(at: rung) else { return nil }
        let context = function.context
        guard context.kind != .file else { return context.conditions.around(twin.source) }
        let requirements = context.requirements.map { " " + $0 } ?? ""
        let head = (context.modifiers + ["extension", context.extended]).joined(separator: " ") + requirements
        var attributes: [String] = []
        for attribute in context.attributes where !attributes.contains(attribute) { attributes.append(attribute) }
        let lines = attributes + [head + " {", accessible(twin.source).indented, "}"]
        return context.conditions.around(lines.joined(separator: "\n"))
    }

    /// The twin with the access that follows from what is around the original: that of a protocol, or of an extension.
    private func accessible(_ source: String) -> String {
        let access = function.context.memberAccess
        guard access != .internal, Access(function.node.modifiers) == nil,
            let twin = Parser.parse(source: source).all(FunctionDeclSyntax.self).first
        else { return source }
        let first = twin.modifiers.first.map { Syntax($0) } ?? Syntax(twin.funcKeyword)
        var bytes = Array(source.utf8)
        let place = first.positionAfterSkippingLeadingTrivia.utf8Offset
        // What is private in an extension, its whole file may use.
        let word = access == .private ? "fileprivate" : access.word
        bytes.insert(contentsOf: Array("\(word) ".utf8), at: place)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A number that changes if and only if the tool would write something else.
    var signature: String { Marker.signature(of: declaration(at: Rung()) ?? "") }
}

extension String {
    /// Each line four columns further to the right.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }
            .joined(separator: "\n")
    }
}
