// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// A handler for values that are not `Sendable`, which the API promises to release when it calls back.
///
/// `unsafe` in the expansion is where that promise counts.
struct UncheckedHandler {
    private let shape: AnswerShape
    private let callback: String

    init(_ shape: AnswerShape, _ callback: String) {
        self.shape = shape
        self.callback = callback
    }

    /// The handler, in source form.
    var source: String {
        switch self.shape {
        case .result:
            return "{ \(self.answer("$0.mapError { $0 }")) }"
        case .valuesAndError(let values, _) where values.isEmpty:
            return "\(self.callback).\(HubNames.handler)()"
        case .valuesAndError(let values, let error):
            return self.closure(values, error)
        case .values(let values), .pair(let values, _):
            guard !values.isEmpty else { return "\(self.callback).\(HubNames.handler)()" }
            return "{ \(self.answer(".success(\(self.tuple(values.indices.map { "$\($0)" })))")) }"
        }
    }

    private func answer(_ result: String) -> String {
        "unsafe \(self.callback).\(HubNames.resumeUnchecked): \(result))"
    }

    private func tuple(_ names: [String]) -> String {
        names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
    }

    /// The closure that chooses between the values and the error.
    private func closure(_ values: [AnswerValue], _ error: AnswerError) -> String {
        let names = values.count == 1 ? ["value"] : (1...values.count).map { "value\($0)" }
        // With types: nothing else tells them where a generic function only calls back with them.
        let typed = zip(names, values).map {
            "\($0): \($1.isUnwrapped ? $1.type.optional : $1.type.trimmedDescription)"
        }
        let last = "error: \(error.type.trimmedDescription)"
        let parameters = (error.isFirst ? [last] + typed : typed + [last]).joined(separator: ", ")
        let optional = zip(names, values).filter(\.1.isUnwrapped).map { "let \($0.0)" }
        var statements = ["if let error { throw error }"]
        if !optional.isEmpty {
            let noResult = HubNames.noResult(self.callback)
            statements.append("guard \(optional.joined(separator: ", ")) else { throw \(noResult) }")
        }
        statements.append("return \(self.tuple(names))")
        let result = "Swift.Result {\n\(statements.joined(separator: "\n").indented)\n}"
        return "{ (\(parameters)) in\n\(self.answer(result).indented)\n}"
    }
}
#endif
