// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// What the twin returns, and the handlers that bring it.
struct Answer {
    /// The metatype of the callback's value, for `of:`.
    let metatype: String
    /// The type that the twin returns, with the labels of a tuple; `nil` for none.
    let returnType: String?
    let shape: AnswerShape

    init(_ shape: AnswerShape) {
        self.shape = shape
        let values: [AnswerValue]
        switch shape {
        case .result(let result): values = [AnswerValue(type: result.value, label: nil, isUnwrapped: false)]
        case .valuesAndError(let all, _), .values(let all), .pair(let all, _): values = all
        }
        switch values.count {
        case 1 where !values[0].type.isVoid:
            self.metatype = values[0].type.metatype
            self.returnType = values[0].type.trimmedDescription
        case 0, 1:
            self.metatype = "\(HubNames.void).self"
            self.returnType = nil
        default:
            let types = values.map(\.type.trimmedDescription)
            let named = values.map(\.type.inExpression.trimmedDescription)
            self.metatype = "(\(named.joined(separator: ", "))).self"
            self.returnType = Self.tuple(types, values.map(\.label))
        }
    }

    /// The tuple, with labels if each value has one of its own.
    private static func tuple(_ types: [String], _ labels: [String?]) -> String {
        let names = labels.compactMap { $0 }
        guard Set(names).count == types.count else { return "(\(types.joined(separator: ", ")))" }
        return "(\(zip(names, types).map { "\($0): \($1)" }.joined(separator: ", ")))"
    }

    var canFail: Bool { self.shape.canFail }

    /// Whether the hub has a handler for `nil` as an answer.
    var hasOptionalHandler: Bool {
        guard case .valuesAndError(let values, let error) = self.shape, values.count == 1, error.index == 1 else {
            return false
        }
        return !values[0].isUnwrapped && values[0].type.optionalWrapped != nil
    }

    /// Whether nothing else has the answer, which may be passed on without being `Sendable`.
    var isSent: Bool {
        switch self.shape {
        case .result(let result): result.isSent && !result.isOptional
        case .values(let values), .pair(let values, _):
            values.contains(where: \.isSent) && values.allSatisfy { $0.isSent || $0.type.isKnownToBeSendable }
        case .valuesAndError: false
        }
    }

    // MARK: Handlers

    /// The argument for the one handler, or for the handler of success.
    func handler(of callback: String, unchecked: Bool) -> String {
        if unchecked { return ClosureHandler(self.shape, callback, unchecked: true).source }
        switch self.shape {
        case .result where self.isSent: return ClosureHandler(self.shape, callback, unchecked: false).source
        case .values(let values) where self.isSent, .pair(let values, _) where self.isSent:
            let all = values.indices.map { "$\($0)" }.joined(separator: ", ")
            return "{ \(callback).\(HubNames.resume): \(values.count == 1 ? all : "(\(all))")) }"
        // The hub has handlers with the error first or last.
        case .valuesAndError(let values, let error) where error.index > 0 && error.index < values.count:
            return ClosureHandler(self.shape, callback, unchecked: false).source
        case .result(let result) where result.isOptional:
            return ClosureHandler(self.shape, callback, unchecked: false).source
        case .valuesAndError(let values, let error) where !error.isCertain:
            // The hub has a handler for the usual shapes.
            guard values.count < 4, error.index == values.count, !self.hasOptionalHandler else {
                return ClosureHandler(self.shape, callback, unchecked: false).source
            }
            let type = error.type.optionalWrapped ?? error.type
            return "\(callback).\(HubNames.handler)(\(HubNames.failure): \(type.metatype))"
        case .valuesAndError where self.hasOptionalHandler:
            return "\(callback).\(HubNames.optionalHandler)()"
        case .result, .valuesAndError:
            return "\(callback).\(HubNames.handler)()"
        case .values(let values), .pair(let values, _):
            switch values.count {
            case 0: return "\(callback).\(HubNames.handler)()"
            case 1: return "\(callback).\(HubNames.valueHandler)()"
            default:
                let all = values.indices.map { "$\($0)" }.joined(separator: ", ")
                // From seven on the hub's handler has a pack, and the compiler (6.3) crashes with some types in it.
                guard values.count < 7 else { return "{ \(callback).\(HubNames.resume): (\(all))) }" }
                return "\(callback).\(HubNames.handler) { (\(all)) }"
            }
        }
    }

    /// The argument for the handler of failures.
    func failureHandler(of callback: String, unchecked: Bool) -> String {
        guard case .pair(_, let failure) = self.shape else { return "" }
        let isPlain = !failure.hasOptionalError && failure.isCertain
        guard !isPlain else { return "\(callback).\(HubNames.errorHandler)()" }
        var error = failure.hasOptionalError ? "$0 ?? \(HubNames.noResult(callback))" : "$0"
        if !failure.isCertain {
            let convert = HubNames.error(unchecked: unchecked)
            error =
                failure.hasOptionalError
                ? "$0.map { \(convert)($0) } ?? \(HubNames.noResult(callback))" : "\(convert)($0)"
        }
        return "{ \(callback).resume(throwing: \(error)) }"
    }
}
#endif
