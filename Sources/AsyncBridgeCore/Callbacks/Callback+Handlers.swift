// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Ready-made handlers for the shapes that real APIs have. All of them may be called on any thread; each call is an
// answer, of which the first wins.
//
// One function per number of values: no function value of type `(repeat (each T)?, (any Error)?) -> Void` can be made
// (Swift 6.3: no parameter may follow a variadic one in a closure).

/// What counts when an old API calls back with a value and an error at once.
@nonexhaustive
public enum ValueAndErrorPolicy: Sendable {
    /// The error. This is the default: a reported error is taken seriously. The value goes to `onUndelivered`.
    ///
    /// Several values do if they are a whole answer. A part of them beside an error is released, and not reported: many
    /// APIs come with a response, or with metadata, when they fail. If a part may hold a resource, such as the file of
    /// a broken transfer, declare all of them optional, `withCallback(of: (URL?, Metadata?).self)`: then
    /// `onUndelivered` gets what came.
    case errorWins

    /// The value. For an API that reports warnings along with a complete value.
    case valueWins
}

extension Callback where Value: Sendable {
    /// Makes a handler of the shape `(Result<Value, Failure>) -> Void`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Result<Value, Failure>) -> Void {
        { self.resume(with: $0, fileID: fileID, line: line) }
    }

    /// Makes a handler of the shape `(Value) -> Void`, for an API that cannot fail.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func valueHandler(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Value) -> Void {
        { self.resume(returning: $0, fileID: fileID, line: line) }
    }
}

extension Callback {
    /// Makes a handler of the shape `(Failure) -> Void`: the one for failures, for an API that has another for success.
    ///
    /// The other is ``valueHandler(fileID:line:)``, or `handler()` where success has no value.
    ///
    /// ```swift
    /// let quote = try await withCallback { callback in
    ///     client.findQuote(id: 1, success: callback.valueHandler(), failure: callback.errorHandler())
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func errorHandler(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Failure) -> Void {
        { self.resume(throwing: $0, fileID: fileID, line: line) }
    }
}

extension Callback where Value == Void {
    /// Makes a handler of the shape `() -> Void`, where the call is success.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable () -> Void {
        { self.resume(fileID: fileID, line: line) }
    }
}

extension Callback where Failure == any Error, Value: Sendable {
    /// Makes a handler of the shape `(Result<Value, KnownFailure>) -> Void`, with an error of any known type.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<KnownFailure: Error>(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Result<Value, KnownFailure>) -> Void {
        { self.resume(with: $0, fileID: fileID, line: line) }
    }
}

extension Callback where Failure == any Error, Value: Sendable {
    /// Makes a handler of the shape `(Value?, (any Error)?) -> Void`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler. A call with neither a value nor an error becomes
    ///   ``BridgeFault/Code-swift.struct/noResult``.
    @_alwaysEmitIntoClient
    public func handler(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Value?, (any Error)?) -> Void {
        { value, error in self.settle(value, error, policy, fileID, line) { [value] } }
    }

    /// Makes a handler of the shape `((any Error)?, Value?) -> Void`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler. A call with neither a value nor an error becomes
    ///   ``BridgeFault/Code-swift.struct/noResult``.
    @_alwaysEmitIntoClient
    public func handler(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable ((any Error)?, Value?) -> Void {
        { error, value in self.settle(value, error, policy, fileID, line) { [value] } }
    }
}

extension Callback where Failure == any Error {
    /// Makes a handler of the shape `(Wrapped?, (any Error)?) -> Void`, where `nil` without an error is an answer.
    ///
    /// For an API whose `nil` means that nothing was found.
    ///
    /// ```swift
    /// let quote: Quote? = try await withCallback { callback in
    ///     cache.find(id: 1, completion: callback.optionalHandler())
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func optionalHandler<Wrapped: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Wrapped?, (any Error)?) -> Void where Value == Wrapped? {
        { value, error in self.settle(.some(value), error, policy, fileID, line) { [value] } }
    }
}

extension Callback where Failure == any Error, Value == Void {
    /// Makes a handler of the shape `((any Error)?) -> Void`, where no error is success.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable ((any Error)?) -> Void {
        { error in
            let result: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
            self.resume(with: result, fileID: fileID, line: line)
        }
    }

    /// Makes a handler of the shape `(Bool, (any Error)?) -> Void`, where `true` and no error is success.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler. `false` without an error becomes ``BridgeFault/Code-swift.struct/unsuccessful``.
    @_alwaysEmitIntoClient
    public func successHandler(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Bool, (any Error)?) -> Void {
        { succeeded, error in
            let failure = error ?? (succeeded ? nil : BridgeFault(.unsuccessful, made: self.made))
            let result: Result<Void, any Error> = failure.map { .failure($0) } ?? .success(())
            self.resume(with: result, fileID: fileID, line: line)
        }
    }

    // Disfavored: where nothing says which shape is meant, it is the one with an error.

    /// Makes a handler of the shape `(Bool) -> Void`, where `true` is success.
    ///
    /// For an API that says no more of a failure. Where `false` is a value like `true`, there is
    /// ``valueHandler(fileID:line:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler. `false` becomes ``BridgeFault/Code-swift.struct/unsuccessful``.
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    public func successHandler(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Bool) -> Void {
        { succeeded in
            let result: Result<Void, any Error> =
                succeeded ? .success(()) : .failure(BridgeFault(.unsuccessful, made: self.made))
            self.resume(with: result, fileID: fileID, line: line)
        }
    }
}

extension Callback where Failure == any Error, Value == Bool {
    /// Makes a handler of the shape `(Bool, (any Error)?) -> Void`, where `false` is a value like `true`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler. An error wins over the value.
    @_alwaysEmitIntoClient
    public func handler(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Bool, (any Error)?) -> Void {
        { value, error in
            let result: Result<Bool, any Error> = error.map { .failure($0) } ?? .success(value)
            self.resume(with: result, fileID: fileID, line: line)
        }
    }
}
