// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension PlannedFunction {
    /// The sequence to write instead of a twin, for a function that may call its handler many times.
    package var proposedSequence: String {
        let parameters = function.parameters
        let returned = function.node.signature.returnClause?.type.trimmedDescription
        let returnsToken = returned.map { !TwinReplacement.isVoid($0) } ?? false
        var closures: [Int: HandlerRole] = [:]
        for (index, parameter) in parameters.enumerated() {
            closures[index] = parameter.type.handlerFunction(meanings).flatMap(HandlerRole.init)
        }
        // What brings elements; a function with nothing but an end has that as its only element.
        let bringsElements = closures.keys.sorted().first { closures[$0]?.end == nil }
        let source = bringsElements ?? handlers.first ?? closures.keys.min()
        let role = source.flatMap { closures[$0] }
        let fails = role?.bringsError == true || closures.values.contains { $0.end != nil && $0.bringsError }
        let arguments = parameters.enumerated().map { index, parameter in
            let name = parameter.innerName.text
            let value =
                index == source ? role?.elementHandler ?? name : closures[index].map { $0.end ?? $0.unknown } ?? name
            return parameter.firstName.text == "_" ? value : "\(parameter.firstName.text): \(value)"
        }
        let receiver = function.context.kind == .file ? "" : "self."
        let call = "\(receiver)\(function.name)(\(arguments.joined(separator: ", ")))"
        return """
            CallbackSequence<\(role?.element ?? "Void"), \(fails ? "any Error" : "Never")> { sink in
                \(returnsToken ? "let token = " : "")\(call)
                return { \(returnsToken ? "/* end what 'token' stands for */" : "/* stop it */") }
            }
            """
    }
}

/// What a closure that a function gets tells its sequence.
private struct HandlerRole {
    private let types: [TypeSyntax]

    /// - Returns: `nil` for a closure that answers, which is no handler.
    init?(_ type: FunctionTypeSyntax) {
        guard TwinReplacement.isVoid(type.returnClause.type.trimmedDescription) else { return nil }
        types = type.parameters.map(\.type)
    }

    /// The value of the only argument, a `Result`.
    private var resultValue: String? {
        guard types.count == 1, let type = types[0].as(IdentifierTypeSyntax.self), type.name.text == "Result" else {
            return nil
        }
        return type.genericArgumentClause?.arguments.first?.argument.trimmedDescription
    }

    private var lastIsError: Bool {
        types.last.map { ["Error", "Swift.Error", "NSError"].contains($0.withoutLayers.trimmedDescription) } ?? false
    }

    private var lastIsOptional: Bool { types.last?.trimmedDescription.hasSuffix("?") == true }

    var bringsError: Bool { resultValue != nil || lastIsError }

    /// The handler that ends the sequence, if this closure brings no element.
    var end: String? {
        if types.count == 1, lastIsError {
            return lastIsOptional ? "sink.completionHandler()" : "sink.errorHandler()"
        }
        return resultValue.map(TwinReplacement.isVoid) == true ? "sink.completionHandler()" : nil
    }

    /// What the closure brings, as an element.
    var element: String {
        if let resultValue { return resultValue }
        let values = (lastIsError ? types.dropLast() : types[...]).map(\.trimmedDescription)
        return values.isEmpty ? "Void" : values.count == 1 ? values[0] : "(\(values.joined(separator: ", ")))"
    }

    /// The handler that sends that.
    var elementHandler: String {
        if resultValue != nil { return "sink.handler { try $0.get() }" }
        if types.isEmpty { return "sink.handler { () }" }
        guard lastIsError else {
            return types.count == 1 ? "sink.handler()" : "sink.handler { (\(names(types.count))) }"
        }
        let error = "$\(types.count - 1)"
        guard lastIsOptional else { return "sink.handler { throw \(error) }" }
        let values = types.count == 2 ? "$0" : "(\(names(types.count - 1)))"
        return "sink.handler { if let error = \(error) { throw error }; return \(values) }"
    }

    /// A closure whose meaning nobody knows.
    var unknown: String {
        types.isEmpty
            ? "{ /* what it tells */ }" : "{ \(types.map { _ in "_" }.joined(separator: ", ")) in /* what it tells */ }"
    }

    private func names(_ count: Int) -> String { (0..<count).map { "$\($0)" }.joined(separator: ", ") }
}
