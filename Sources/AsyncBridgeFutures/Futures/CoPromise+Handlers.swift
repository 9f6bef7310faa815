// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoPromise {
    /// Makes a handler out of a closure that returns the value, or throws: for an API of any shape.
    ///
    /// ```swift
    /// func rankedQuote(_ client: QuoteClient) -> CoFuture<String> {
    ///     let promise = CoPromise<String>()
    ///     client.ranked(
    ///         completion: promise.handler { text, rank, error in
    ///             if let error { throw error }
    ///             return "\(rank). \(text ?? "")"
    ///         }
    ///     )
    ///     return promise.future
    /// }
    /// ```
    ///
    /// A closure that calls `promise.success` belongs to the main actor where it is written in a `@MainActor` class,
    /// and ends the process when a library from before Swift 6 calls it on another thread. This one is `@Sendable` by
    /// its type, so it belongs to no actor.
    ///
    /// The first completion counts. The handler keeps the promise alive.
    ///
    /// ## Isolation
    /// The closure runs in the API's call, on its thread, and so do the observers.
    ///
    /// - Parameter value: Gets what the API calls back with, however many values, `Sendable` or not. What it throws
    ///   fails the future.
    /// - Returns: The handler.
    public func handler<each Argument>(
        _ value: @escaping @Sendable (repeat each Argument) throws -> Value
    ) -> @Sendable (repeat each Argument) -> Void {
        { (argument: repeat each Argument) in
            do { self.success(try value(repeat each argument)) } catch { self.fail(error) }
        }
    }
}
