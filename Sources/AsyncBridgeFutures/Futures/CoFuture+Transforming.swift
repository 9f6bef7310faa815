// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Cancelling what these make cancels the future that they are called on, and the work behind it: see
// `AnyCoFuture.cancel()`.

extension CoFuture {
    /// A future of the value, transformed by a closure.
    ///
    /// Isolation: the closure runs inside the call that completes this future. Swift 6 mode only warns if it uses an
    /// actor's state: see ``whenSuccess(_:)``.
    ///
    /// - Parameter transform: Makes the new value, or throws the new future's error. Not called if this future fails.
    /// - Returns: The future; it fails if this one does.
    /// - Complexity: O(1).
    @preconcurrency
    @inlinable
    public final func map<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> NewValue
    ) -> CoFuture<NewValue> {
        let future = MappedFuture(of: self, transform)
        self.add(future)
        return future
    }

    /// A future of the result, transformed by a closure.
    ///
    /// Isolation: the closure runs inside the call that completes this future.
    ///
    /// - Parameter transform: Makes the new result.
    /// - Returns: The future.
    /// - Complexity: O(1).
    @preconcurrency
    @inlinable
    public final func mapResult<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Result<Value, any Error>) -> Result<NewValue, any Error>
    ) -> CoFuture<NewValue> {
        self.transformed { try transform($0.settledResult).get() }
    }

    /// A future of the value, or of a closure's replacement for the error.
    ///
    /// Isolation: the closure runs inside the call that completes this future.
    ///
    /// - Parameter transform: Gets the error, which may be a `CancellationError`. Returns a value, or throws the new
    ///   future's error.
    /// - Returns: The future.
    /// - Complexity: O(1).
    @preconcurrency
    @inlinable
    public final func recover(_ transform: @escaping @Sendable (any Error) throws -> Value) -> CoFuture<Value> {
        self.transformed {
            switch $0.settledResult {
            case .success(let value): value
            case .failure(let error): try transform(error)
            }
        }
    }

    @usableFromInline
    final func transformed<NewValue: Sendable>(
        _ transform: @escaping @Sendable (CoFuture) throws -> NewValue
    ) -> CoFuture<NewValue> {
        // Safe: it is this future that the closure gets.
        let future = ResultFuture(of: self) { try transform(unsafe unsafeDowncast($0, to: CoFuture.self)) }
        self.add(future)
        return future
    }

    /// A future that follows another future, which a closure makes from the value.
    ///
    /// A chain may be of any length, and so may a loop: `step().flatMap { loop() }`. If its rounds wait, it needs
    /// constant memory; otherwise about a hundred bytes for each round.
    ///
    /// Cancelling the new future cancels this one or, once the closure has run, the closure's future.
    ///
    /// Isolation: the closure runs inside the call that completes this future, or inside this call if it has completed
    /// already. When such calls nest and little of the stack is left, it runs on Dispatch's global queue, or on the
    /// scheduler of the calling coroutine.
    ///
    /// - Parameter transform: Makes the next future. Not called if this future fails.
    /// - Returns: The future; it fails if this one or the next does.
    /// - Complexity: O(1).
    @preconcurrency
    @inlinable
    public final func flatMap<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) -> CoFuture<NewValue>
    ) -> CoFuture<NewValue> {
        self.chained { $0.hasValue ? transform($0.value(as: Value.self)) : nil }
    }

    /// A future of the value, or one that follows another future, which a closure makes from the error.
    ///
    /// Isolation: the closure runs inside the call that completes this future.
    ///
    /// - Parameter transform: Gets the error, which may be a `CancellationError`, and makes the next future.
    /// - Returns: The future.
    /// - Complexity: O(1).
    @preconcurrency
    public final func flatMapError(
        _ transform: @escaping @Sendable (any Error) -> CoFuture<Value>
    ) -> CoFuture<Value> {
        self.chained { $0.error.map(transform) }
    }

    /// A future that follows another future, which a closure makes from the result.
    ///
    /// Isolation: the closure runs inside the call that completes this future.
    ///
    /// - Parameter transform: Makes the next future.
    /// - Returns: The future.
    /// - Complexity: O(1).
    @preconcurrency
    public final func flatMapResult<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Result<Value, any Error>) -> CoFuture<NewValue>
    ) -> CoFuture<NewValue> {
        // Safe: it is this future that the closure gets.
        self.chained { transform(unsafe unsafeDowncast($0, to: CoFuture.self).settledResult) }
    }

    @usableFromInline
    final func chained<NewValue: Sendable>(
        _ transform: @escaping @Sendable (AnyCoFuture) -> AnyCoFuture?
    ) -> CoFuture<NewValue> {
        let future = FlatFuture<NewValue>(of: self, transform)
        self.add(future)
        return future
    }
}
