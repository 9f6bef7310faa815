// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Cancelling what these make cancels all the futures that it waits for.

extension CoFuture {
    /// A future of all values, in the order of the futures.
    ///
    /// If one fails, it fails at once with that error, and the others are cancelled.
    ///
    /// - Parameter futures: The futures; with none, its value is an empty array, at once.
    /// - Returns: The future.
    /// - Complexity: O(*n*).
    public static func all(_ futures: some Sequence<CoFuture<Value>>) -> CoFuture<[Value]> { AllFuture(futures) }

    /// A future of the first value to arrive; then the others are cancelled.
    ///
    /// If all fail, it fails with the last error.
    ///
    /// - Parameter futures: The futures; with none, it fails with ``CoFutureError/noFutures``.
    /// - Returns: The future.
    /// - Complexity: O(*n*).
    public static func any(_ futures: some Sequence<CoFuture<Value>>) -> CoFuture<Value> {
        FirstFuture(futures, acceptsFailures: false)
    }

    /// A future of the first result to arrive, value or error; then the others are cancelled.
    ///
    /// - Parameter futures: The futures; with none, it fails with ``CoFutureError/noFutures``.
    /// - Returns: The future.
    /// - Complexity: O(*n*).
    public static func race(_ futures: some Sequence<CoFuture<Value>>) -> CoFuture<Value> {
        FirstFuture(futures, acceptsFailures: true)
    }

    /// A future of all results, in the order of the futures; it does not fail, unless it is cancelled.
    ///
    /// - Parameter futures: The futures; with none, its value is an empty array, at once.
    /// - Returns: The future.
    /// - Complexity: O(*n*).
    public static func settled(
        _ futures: some Sequence<CoFuture<Value>>
    ) -> CoFuture<[Result<Value, any Error>]> { SettledFuture(futures) }
}
