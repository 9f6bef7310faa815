// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The same work done by several entrants, measured side by side.
public struct Contest: Sendable {
    /// What the work is.
    public let title: String

    /// How many operations make one round of one entrant.
    public let operations: Int

    /// Who does the work, in the order in which they take turns.
    public let entrants: [Entrant]

    /// Describes a contest.
    ///
    /// - Parameters:
    ///   - title: What the work is.
    ///   - operations: How many operations make one round of one entrant: enough for some milliseconds.
    ///   - entrants: Who does the work.
    public init(_ title: String, operations: Int, _ entrants: [Entrant]) {
        self.title = title
        self.operations = operations
        self.entrants = entrants
    }
}

/// One way to do the work of a ``Contest``.
public struct Entrant: Sendable {
    /// What an entrant is compared with.
    public struct Comparison: Sendable {
        let peer: String
        let limit: Double?
        let isOptional: Bool

        /// A comparison with a peer of the same contest.
        ///
        /// - Parameters:
        ///   - peer: The peer's name.
        ///   - limit: The goal: at most so many times the peer's time; `nil` where none is set.
        /// - Returns: The comparison.
        public static func against(_ peer: String, atMost limit: Double? = nil) -> Comparison {
            Comparison(peer: peer, limit: limit, isOptional: false)
        }

        /// A comparison with a peer that is missing where its library is not installed.
        ///
        /// - Parameters:
        ///   - peer: The peer's name.
        ///   - limit: The goal: at most so many times the peer's time.
        /// - Returns: The comparison.
        public static func againstIfInstalled(_ peer: String, atMost limit: Double) -> Comparison {
            Comparison(peer: peer, limit: limit, isOptional: true)
        }
    }

    let name: String
    let comparisons: [Comparison]
    let body: @Sendable (_ operations: Int) async throws -> Void

    /// An entrant of ours.
    ///
    /// - Parameters:
    ///   - name: What it uses.
    ///   - comparisons: What it is compared with.
    ///   - body: Does so many operations.
    /// - Returns: The entrant.
    public static func ours(
        _ name: String,
        _ comparisons: Comparison...,
        body: @escaping @Sendable (_ operations: Int) async throws -> Void
    ) -> Entrant {
        Entrant(name: name, comparisons: comparisons, body: body)
    }

    /// An entrant that others are compared with.
    ///
    /// - Parameters:
    ///   - name: What it uses.
    ///   - body: Does so many operations.
    /// - Returns: The entrant.
    public static func peer(
        _ name: String,
        body: @escaping @Sendable (_ operations: Int) async throws -> Void
    ) -> Entrant {
        Entrant(name: name, comparisons: [], body: body)
    }
}

/// Takes the result of measured work, so that the optimiser cannot leave the work out.
///
/// - Parameter result: What the work came to.
@inline(never)
public func keep<Result>(_ result: Result) {
    withExtendedLifetime(result) {}
}
