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

extension CallbackSequence.Sink {
    /// Makes a handler from a closure that returns an element, or throws to end the sequence: for a source of any
    /// shape.
    ///
    /// ```swift
    /// let places = CallbackSequence<String, any Error> { sink in
    ///     let watch = receiver.watchPlaces(
    ///         onPlace: sink.handler { name, accuracy, error in
    ///             if let error { throw error }
    ///             return "\(name), within \(accuracy) m"
    ///         }
    ///     )
    ///     return { watch.stop() }
    /// }
    /// ```
    ///
    /// A closure that calls `sink.yield` is isolated to the main actor if it is written in a `@MainActor` class (though
    /// not in a builder), and ends the process when a library from before Swift 6 calls it on another thread. This one
    /// is `@Sendable` by its type, so it is isolated to no actor. For more than one element or end per call, write a
    /// closure that is declared `@Sendable`: `{ @Sendable name, isLast in … }`.
    ///
    /// ## Isolation
    /// The closure runs in the source's call, on its thread. What it returns is sent to the consumer.
    ///
    /// - Parameter element: Receives the source's arguments: any number of values, `Sendable` or not. If it throws, the
    ///   sequence fails.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<each Argument>(
        _ element: @escaping @Sendable (repeat each Argument) throws(Failure) -> sending Element
    ) -> @Sendable (repeat each Argument) -> Void {
        { (argument: repeat each Argument) in
            do throws(Failure) { self.yield(try element(repeat each argument)) } catch { self.fail(error) }
        }
    }
}

extension CallbackSequence.Sink where Element: Sendable {
    /// Makes a handler from a function that returns an element, or throws to end the sequence.
    ///
    /// For `sink.handler(decode)`: a named function does not promise to give its result away, so elements must be
    /// `Sendable`. Everything else is as for a closure.
    ///
    /// ## Isolation
    /// The function runs in the source's call, on its thread. It must not be isolated to an actor.
    ///
    /// - Parameter element: Receives the source's arguments: any number of values, `Sendable` or not. If it throws, the
    ///   sequence fails.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<each Argument>(
        _ element: @escaping @Sendable (repeat each Argument) throws(Failure) -> Element
    ) -> @Sendable (repeat each Argument) -> Void {
        { (argument: repeat each Argument) in
            do throws(Failure) { self.yield(try element(repeat each argument)) } catch { self.fail(error) }
        }
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
