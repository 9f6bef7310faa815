// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
/// A function that was written for another one.
public struct Twin: Sendable {
    /// Which style the twin speaks.
    public enum Style: String, Sendable {
        /// `async throws`, or `async`
        case asynchronous
        /// With a completion handler
        case completion
        /// Returns a future
        case future
        /// Returns a publisher
        case publisher
    }

    /// Which style it speaks.
    public let style: Style

    /// The name with labels, as in `user(_:retries:)`.
    public let signature: String

    /// What tells overloads apart: two functions with one identity are one too many.
    public let identity: String

    /// The function with its documentation, not indented.
    public private(set) var source: String

    init(style: Style, signature: String, identity: String, source: String) {
        self.style = style
        self.signature = signature
        self.identity = identity
        self.source = source
    }

    /// The twin of a function in clauses of `#if`.
    func compiled(where conditions: [Condition]) -> Twin {
        var twin = self
        twin.source = conditions.around(self.source)
        return twin
    }
}

/// What the generator says of one declaration.
public struct Outcome {
    /// The twins; none if there is a refusal.
    public internal(set) var twins: [Twin] = []

    /// Why there is no twin, and warnings.
    public internal(set) var refusals: [Refusal] = []
}
#endif
