// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Ready-made handlers for a source's callbacks. All of them may be called on any thread.

extension CallbackSequence.Sink where Element: Sendable {
    /// Makes a handler that yields its argument.
    ///
    /// - Returns: The handler, which may be called on any thread.
    public func handler() -> @Sendable (Element) -> Void {
        { self.yield($0) }
    }
}

// MARK: - Ends

extension CallbackSequence.Sink {
    /// Makes a handler of the shape `() -> Void` that ends the sequence.
    ///
    /// ```swift
    /// let watch = receiver.replay(onFix: sink.handler(), onCompletion: sink.completionHandler())
    /// ```
    ///
    /// - Returns: The handler, which may be called on any thread.
    public func completionHandler() -> @Sendable () -> Void {
        { self.finish() }
    }

    /// Makes a handler of the shape `(Failure?) -> Void` that ends the sequence, where no error is success.
    ///
    /// - Returns: The handler, which may be called on any thread.
    public func completionHandler() -> @Sendable (Failure?) -> Void {
        { error in
            if let error { self.fail(error) } else { self.finish() }
        }
    }

    /// Makes a handler of the shape `(Result<Void, Failure>) -> Void` that ends the sequence.
    ///
    /// - Returns: The handler, which may be called on any thread.
    public func completionHandler() -> @Sendable (Result<Void, Failure>) -> Void {
        { self.finish(with: $0) }
    }

    /// Makes a handler of the shape `(Failure) -> Void` that ends the sequence with the error.
    ///
    /// For a source that has another handler for its end, or none.
    ///
    /// - Returns: The handler, which may be called on any thread.
    public func errorHandler() -> @Sendable (Failure) -> Void {
        { self.fail($0) }
    }
}

extension CallbackSequence.Sink where Failure == any Error {
    /// Ends the sequence with a result whose error is of a known type.
    ///
    /// - Parameter result: Success to finish, failure to fail.
    public func finish<KnownFailure: Error>(with result: Result<Void, KnownFailure>) {
        self.finish(with: result.mapError { $0 })
    }

    /// Makes a handler of the shape `(Result<Void, KnownFailure>) -> Void` that ends the sequence.
    ///
    /// - Returns: The handler, which may be called on any thread.
    public func completionHandler<KnownFailure: Error>() -> @Sendable (Result<Void, KnownFailure>) -> Void {
        { self.finish(with: $0) }
    }
}
