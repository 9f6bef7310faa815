// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The Quotable API, by functions.
///
/// ```swift
/// let quote = try await QuoteKit.quote(id: id)
/// ```
///
/// Each goes to ``client`` and is explained at ``QuoteClient``.
public enum QuoteKit {
    /// The client of all functions here.
    ///
    /// - Complexity: O(1).
    public static var client: QuoteClient {
        get { self.clientOfTask ?? self.clientOfProcess.withLock { $0 } }
        set {
            // The old one is dropped outside the lock: what it holds may run anything when it goes.
            let old = self.clientOfProcess.withLock { client in
                defer { client = newValue }
                return client
            }
            _ = consume old
        }
    }

    /// Runs code for which ``client`` is another one, in its task and in those that it starts.
    ///
    /// What it starts on a queue is in no task of its, and asks the other client.
    ///
    /// Isolation: the caller's actor.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - body: The code.
    /// - Returns: What the code returns.
    /// - Throws: What the code throws.
    public nonisolated(nonsending) static func withClient<Value>(
        _ client: QuoteClient,
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
        try await self.$clientOfTask.withValue(client) { try await body() }
    }

    private static let clientOfProcess = Mutex(QuoteClient())
    @TaskLocal private static var clientOfTask: QuoteClient?
}
