// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoPromise {
    /// Makes a completion handler for an API of any shape from a closure that returns the value, or throws.
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
    /// If the API calls back with a `Result`, the closure is `{ try $0.get() }`, whatever the type of the error:
    ///
    /// ```swift
    /// let rating = CoPromise<Int>()
    /// client.fetchRating(completion: rating.handler { try $0.get() })  // A Result<Int, Unavailable>.
    /// ```
    ///
    /// Why not a closure that calls `promise.success`: if that is written in a `@MainActor` class, it is isolated to
    /// the main actor, and ends the process when a library from before Swift 6 calls it on another thread. The closure
    /// given to this function is `@Sendable`, so it is isolated to no actor.
    ///
    /// The first completion counts. The handler keeps the promise alive.
    ///
    /// ## Isolation
    /// The closure runs in the API's call, on its thread, and so do the observers.
    ///
    /// - Parameter value: Receives the API's arguments: any number of values, `Sendable` or not. If it throws, the
    ///   future fails.
    /// - Returns: The handler.
    public func handler<each Argument>(
        _ value: @escaping @Sendable (repeat each Argument) throws -> Value
    ) -> @Sendable (repeat each Argument) -> Void {
        { (argument: repeat each Argument) in
            do { self.success(try value(repeat each argument)) } catch { self.fail(error) }
        }
    }
}
