// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
public import SwiftSyntax

extension Generator {
    /// What a function calls back with, for tables of many functions.
    public struct Completion: Sendable {
        /// What its handlers get.
        public enum Shape: String, Sendable, CaseIterable {
            /// `(Result<Value, Failure>) -> Void`
            case result
            /// `(Value?, (any Error)?) -> Void`
            case valueAndError
            /// `((any Error)?) -> Void`
            case error
            /// Several values and an error
            case valuesAndError
            /// `(Value) -> Void`
            case value
            /// Several values
            case values
            /// `() -> Void`
            case nothing
            /// A handler for success and one for failure
            case pair
        }

        /// The indices of the handlers among the parameters.
        public let parameters: [Int]

        /// What the handlers get; `nil` if no async function can return it.
        public let shape: Shape?
    }

    /// How the twin of a function that nobody has looked at is to be written.
    public struct CautiousOptions: Sendable {
        /// What aliases stand for, by their names as they are written.
        public var aliases: [String: TypeSyntax]

        /// Whether the value need not be `Sendable`: the function promises to release it when it calls back.
        public var isUnchecked: Bool

        /// Whether what the function returns is not asked to stop the work.
        public var isUncancelled: Bool

        /// Whether the twin's name ends with "Async".
        public var hasSuffix: Bool

        /// The options of a twin that differs in nothing.
        public init(
            aliases: [String: TypeSyntax] = [:],
            isUnchecked: Bool = false,
            isUncancelled: Bool = false,
            hasSuffix: Bool = false
        ) {
            self.aliases = aliases
            self.isUnchecked = isUnchecked
            self.isUncancelled = isUncancelled
            self.hasSuffix = hasSuffix
        }

        var options: TwinOptions {
            var options = TwinOptions.cautious
            options.aliases = self.aliases
            options.isUnchecked = self.isUnchecked
            if self.isUncancelled { options.handle = .ignored }
            options.hasSuffix = self.hasSuffix
            return options
        }
    }

    /// The twin of a function that nobody has looked at.
    ///
    /// Its name ends with "Async" if callers may leave the completion out: existing async code goes on meaning what it
    /// does. The warning is among the refusals then.
    public static func cautiousTwins(
        of function: FunctionDeclSyntax,
        _ cautious: CautiousOptions = CautiousOptions(),
        in surroundings: Surroundings
    ) -> Outcome {
        let outcome = self.twins(of: function, cautious.options, in: surroundings)
        guard outcome.refusals.contains(where: { $0.reason == .defaultCompletion }) else { return outcome }
        var options = cautious.options
        options.hasSuffix = true
        var renamed = self.twins(of: function, options, in: surroundings)
        renamed.refusals += outcome.refusals
        return renamed
    }

    /// The handlers of a function, as ``cautiousTwins(of:_:in:)`` finds them; `nil` if there are none.
    ///
    /// - Throws: ``Refusal``, if there may be one, and syntax does not tell.
    public static func completion(
        of function: FunctionDeclSyntax,
        _ cautious: CautiousOptions = CautiousOptions()
    ) throws(Refusal) -> Completion? {
        let options = cautious.options
        let found: CompletionSearch.Found
        do throws(Refusal) {
            found = try CompletionSearch(function, options).found()
        } catch  where error.reason == .noCompletion {
            return nil
        }
        return Completion(parameters: found.omitted.sorted(), shape: self.shape(found, of: function, options))
    }

    private static func shape(
        _ found: CompletionSearch.Found,
        of function: FunctionDeclSyntax,
        _ options: TwinOptions
    ) -> Completion.Shape? {
        guard case .one(_, let handler) = found else { return .pair }
        switch try? AnswerShape(handler, options) {
        case nil: return nil
        case .result: return .result
        case .valuesAndError(let values, _):
            return values.isEmpty ? .error : values.count == 1 ? .valueAndError : .valuesAndError
        case .values(let values): return values.isEmpty ? .nothing : values.count == 1 ? .value : .values
        case .pair: return .pair
        }
    }

    /// What tells overloads apart: the name, the labels, and the types as they are written.
    ///
    /// Two functions of one type with the same identity are one too many.
    public static func identity(of function: FunctionDeclSyntax) -> String { function.identityAsWritten }

    /// Whether a function is called like those that call their handlers many times.
    public static func looksLikeSeveralShots(_ function: FunctionDeclSyntax) -> Bool { function.looksLikeSeveralShots }

    /// The types that a part of the source mentions, as they are written, and those of generic types without arguments.
    public static func mentionedTypes(in syntax: some SyntaxProtocol) -> Set<String> { syntax.mentionedTypes }
}
#endif
