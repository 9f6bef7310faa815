// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import SwiftSyntax

/// Something that must be delivered exactly once, and the code that has to do it.
package struct Token: Sendable {
    package enum Kind: Hashable, Sendable {
        /// The parameter of the body of `withCheckedContinuation` and its like.
        case continuation
        /// A completion handler that a function or an initializer gets.
        case handler
        /// A continuation that a function gets.
        case continuationParameter
        /// A completion handler that a closure gets.
        case closureHandler
        /// Taken out of a property or an enumeration's case: a continuation or a handler that was stored.
        case extracted
        /// A property that holds a continuation, as one function sees it.
        case stored
        /// A property that holds a handler, as a function sees it that calls it at several places.
        case storedHandler
    }

    package var kind: Kind
    /// What is called: a continuation is resumed, a handler is called.
    package var isContinuation: Bool
    package var name: String
    /// Where it is declared.
    package var position: Int
    package var isOptional: Bool
    package var scope: Scope
    /// The function whose parameter it is.
    var function: Function?
    /// Whether it is an unsafe continuation: code that stores one counts its wakes by other means.
    var isUnsafe = false
    /// The statement that empties the store out of which it is taken.
    ///
    /// Until then it is not lost.
    var emptying: Int?
    /// Whether it is called without arguments.
    var takesNothing = false
    /// Whether a call of it needs no `await`, no `try` and no actor.
    var isPlainFunction = false
    /// Whether a statement or closure of the function gives the name another meaning.
    var isRebound = false
    /// Whether it is called before the function returns, if at all: it is neither optional nor `@escaping`.
    var isLocal = false

    /// Whether it is a property: `self.name` is the same, and what a local variable takes out of it is another token.
    var isProperty: Bool { kind == .stored || kind == .storedHandler }

    /// A function as its callers write it.
    struct Function: Sendable {
        var name: String
        var labels: [String?]
        /// The handler's label.
        var label: String?
        /// Whether the handler is the last parameter.
        var isLast: Bool
    }

    /// The code that has to deliver a token.
    package struct Scope: Sendable {
        package var body: [CodeBlockItemSyntax]
        package var end: Int
        /// Whether an error may leave it.
        package var canThrow = false
        package var answersBool = false
        package var answersOptional = false
        /// Other handlers of the same function.
        package var siblings: Set<String> = []
        package var parameters: Set<String> = []
        /// The function and its type, for reports and baselines.
        package var declaration: String
        /// The closure of which it is the body, if it is one.
        package var closure: ClosureExprSyntax?
        /// Whether the token may be absent from some paths, so that only a second delivery is wrong.
        package var isAtMostOnce = false
    }
}
