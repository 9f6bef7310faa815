// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

extension Refusal {
    static func severalErrors(_ handler: FunctionTypeSyntax, _ options: TwinOptions) -> Refusal {
        Refusal(
            .twoErrors,
            """
            the handler gets several errors, and no name tells which one is the result. If they are what the twin \
            returns, write '.values'; if not, write the bridge by hand with withCallback
            """,
            at: handler,
            cures: [options.cure(adding: ".values")].compactMap(\.self)
        )
    }

    static func errorAlone(
        _ error: TypeSyntax,
        _ handler: FunctionTypeSyntax,
        _ options: TwinOptions
    ) -> Refusal {
        Refusal(
            .errorAlone,
            """
            the handler gets an error and nothing else, so success would never end the wait. If it means failure, \
            the function needs a second handler for success. If '\(error.trimmedDescription)' is the answer, write \
            '.values'
            """,
            at: handler,
            cures: [options.cure(adding: ".values")].compactMap(\.self)
        )
    }

    static func errorMissingTwice(_ error: TypeSyntax) -> Refusal {
        Refusal(
            .failureBesideValues,
            """
            '\(error.trimmedDescription)' can be missing in two ways, and nothing tells which of them is success. Let \
            the handler get an optional error, or write the bridge with withCallback
            """,
            at: error
        )
    }

    /// The twin would return what says that the work has failed.
    static func failureBesideValues(_ type: TypeSyntax, _ options: TwinOptions?) -> Refusal {
        Refusal(
            .failureBesideValues,
            """
            the handler gets '\(type.trimmedDescription)', so the twin would return a failure and not throw it. \
            \(options == nil ? "W" : "If that is meant, write '.values'; if not, w")rite the bridge with withCallback, \
            and throw it there
            """,
            at: type,
            cures: [options?.cure(adding: ".values")].compactMap(\.self)
        )
    }

    /// `Result` with one argument is not Swift's.
    static func otherResult(_ type: TypeSyntax, _ value: TypeSyntax, _ options: TwinOptions) -> Refusal {
        let name = type.trimmedDescription
        let alias = "aliases: [\"\(name)\": Swift.Result<\(value.trimmedDescription), any Swift.Error>.self]"
        return Refusal(
            .aliasedCompletion,
            """
            Swift's 'Result' has two arguments, and a macro cannot look into '\(name)'. If it is an alias, say for \
            what: \(alias). If it is a type of yours, the twin returns it: .values
            """,
            at: type,
            cures: [alias, ".values"].compactMap(options.cure(adding:))
        )
    }

    /// A handler for failures gets something whose name does not say that it is an error.
    static func unknownError(_ type: TypeSyntax, _ options: TwinOptions) -> Refusal {
        var bare = type.optionalWrapped ?? type
        while let inner = bare.inParentheses ?? bare.as(SomeOrAnyTypeSyntax.self)?.constraint { bare = inner }
        let name = bare.trimmedDescription
        let alias = "aliases: [\"\(name)\": (any Error).self]"
        return Refusal(
            .failureWithoutError,
            """
            the twin throws what the handler for failure gets, and a macro knows an error by a name that ends with \
            'Error'. If '\(name)' is one, say so: \(alias). If not, write the bridge with withCallback, and throw an \
            error of yours there
            """,
            at: type,
            cures: [options.cure(adding: alias)].compactMap(\.self)
        )
    }
}
#endif
