// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension PlannedFunction {
    /// The sequence to write instead of a twin, for a function that may call its handler many times.
    package var proposedSequence: String {
        let parameters = function.parameters
        let returned = function.node.signature.returnClause?.type.trimmedDescription
        let returnsToken = returned.map { !["Void", "()"].contains($0) } ?? false
        let handlerType = handlers.first.flatMap { parameters[$0].type.handlerFunction(meanings) }
        let types = handlerType?.parameters.map(\.type) ?? []
        let isResult = types.count == 1 && types[0].trimmedDescription.hasPrefix("Result<")
        let element: String
        let handler: String
        switch types.count {
        case 0: (element, handler) = ("Void", "sink.handler()")
        case 1 where isResult:
            let arguments = types[0].as(IdentifierTypeSyntax.self)?.genericArgumentClause?.arguments
            element = arguments?.first?.argument.trimmedDescription ?? "Value"
            handler = "sink.handler { try $0.get() }"
        case 1: (element, handler) = (types[0].trimmedDescription, "sink.handler()")
        default:
            let names = types.indices.map { "$\($0)" }.joined(separator: ", ")
            element = "(\(types.map(\.trimmedDescription).joined(separator: ", ")))"
            handler = "sink.handler { (\(names)) }"
        }
        let arguments = parameters.enumerated().map { index, parameter in
            let name = parameter.innerName.text
            let value = handlers.first == index ? handler : name
            return parameter.firstName.text == "_" ? value : "\(parameter.firstName.text): \(value)"
        }
        let receiver = function.context.kind == .file ? "" : "self."
        let call = "\(receiver)\(function.name)(\(arguments.joined(separator: ", ")))"
        return """
            CallbackSequence<\(element), \(isResult ? "any Error" : "Never")> { sink in
                \(returnsToken ? "let token = " : "")\(call)
                return { \(returnsToken ? "/* end what 'token' stands for */" : "/* stop it */") }
            }
            """
    }
}
