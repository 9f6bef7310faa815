// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// A handler that is written out: for a shape that the hub has none for, and for values that are not `Sendable`, which
/// the API promises to release when it calls back.
///
/// `unsafe` in the expansion is where that promise counts.
struct ClosureHandler {
    private let shape: AnswerShape
    private let callback: String
    private let isUnchecked: Bool

    init(_ shape: AnswerShape, _ callback: String, unchecked: Bool) {
        self.shape = shape
        self.callback = callback
        self.isUnchecked = unchecked
    }

    /// The handler, in source form.
    var source: String {
        switch self.shape {
        case .result(let result) where result.isOptional:
            return self.closure(
                ["result: \(result.type.trimmedDescription)"],
                unwrapping: ["result"],
                "try \(HubNames.result)(result).get()"
            )
        case .result(let result) where !result.canFail:
            return self.isUnchecked ? "{ \(self.answer(".success($0.get())")) }" : "{ \(self.answer("$0")) }"
        case .result(let result) where result.tellsError:
            return "{ (result: \(result.type.trimmedDescription)) in \(self.answer("\(HubNames.result)(result)")) }"
        case .result:
            return "{ \(self.answer("\(HubNames.result)($0)")) }"
        case .valuesAndError(let values, let error) where values.isEmpty && error.isCertain:
            return "\(self.callback).\(HubNames.handler)()"
        case .valuesAndError(let values, let error):
            return self.closure(values, error)
        case .values(let values), .pair(let values, _):
            guard !values.isEmpty else { return "\(self.callback).\(HubNames.handler)()" }
            return "{ \(self.answer(".success(\(self.tuple(values.indices.map { "$\($0)" })))")) }"
        }
    }

    private func answer(_ result: String) -> String {
        guard self.isUnchecked else { return "\(self.callback).\(HubNames.resumeWith): \(result))" }
        return "unsafe \(self.callback).\(HubNames.resumeUnchecked): \(result))"
    }

    private func tuple(_ names: [String]) -> String {
        names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
    }

    /// The closure that chooses between the values and the error.
    private func closure(_ values: [AnswerValue], _ error: AnswerError) -> String {
        let names = values.count == 1 ? ["value"] : values.indices.map { "value\($0 + 1)" }
        // With types: nothing else tells them where a generic function only calls back with them.
        var parameters = zip(names, values).map {
            "\($0): \($1.isUnwrapped ? $1.type.optional : $1.type.trimmedDescription)"
        }
        parameters.insert("error: \(error.type.trimmedDescription)", at: error.index)
        let optional = zip(names, values).filter(\.1.isUnwrapped).map(\.0)
        let thrown = error.isCertain ? "error" : "\(HubNames.error(unchecked: self.isUnchecked))(error)"
        return self.closure(parameters, throwing: thrown, unwrapping: optional, self.tuple(names))
    }

    private func closure(
        _ parameters: [String],
        throwing error: String? = nil,
        unwrapping optional: [String],
        _ value: String
    ) -> String {
        var statements = error.map { ["if let error { throw \($0) }"] } ?? []
        if !optional.isEmpty {
            let noResult = HubNames.noResult(self.callback)
            let all = optional.map { "let \($0)" }.joined(separator: ", ")
            statements.append("guard \(all) else { throw \(noResult) }")
        }
        statements.append("return \(value)")
        let result = "Swift.Result {\n\(statements.joined(separator: "\n").indented)\n}"
        return "{ (\(parameters.joined(separator: ", "))) in\n\(self.answer(result).indented)\n}"
    }
}
#endif
