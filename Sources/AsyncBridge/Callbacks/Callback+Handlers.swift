// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Ready-made handlers for the shapes that real APIs have. All of them may be called on any thread; each call is an
// answer, of which the first wins.
//
// One function per number of values: no function value of type `(repeat (each T)?, (any Error)?) -> Void` can be made
// (Swift 6.3: no parameter may follow a variadic one in a closure).

/// What counts when an old API calls back with a value and an error at once.
public enum ValueAndErrorPolicy: Sendable {
    /// The error. This is the default: whoever reports an error means it.
    case errorWins

    /// The value. For an API that reports warnings beside a complete value.
    case valueWins
}

extension Callback where Value: Sendable {
    /// Makes a handler of the shape `(Result<Value, Failure>) -> Void`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler.
    @inlinable
    public func handler(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Result<Value, Failure>) -> Void {
        { self.resume(with: $0, fileID: fileID, line: line) }
    }

    /// Makes a handler of the shape `(Value) -> Void`, for an API that cannot fail.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler.
    @inlinable
    public func valueHandler(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Value) -> Void {
        { self.resume(returning: $0, fileID: fileID, line: line) }
    }
}

extension Callback where Failure == any Error, Value: Sendable {
    /// Makes a handler of the shape `(Value?, (any Error)?) -> Void`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are a value and an error.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler. Neither a value nor an error is ``BridgeFault/Code-swift.struct/noResult``.
    @inlinable
    public func handler(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Value?, (any Error)?) -> Void {
        { self.resume(with: self.choose($0, $1, policy), fileID: fileID, line: line) }
    }

    /// Makes a handler of the shape `((any Error)?, Value?) -> Void`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are a value and an error.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler. Neither a value nor an error is ``BridgeFault/Code-swift.struct/noResult``.
    @inlinable
    public func handler(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable ((any Error)?, Value?) -> Void {
        { self.resume(with: self.choose($1, $0, policy), fileID: fileID, line: line) }
    }
}

extension Callback where Failure == any Error {
    @usableFromInline
    func choose(_ value: Value?, _ error: (any Error)?, _ policy: ValueAndErrorPolicy) -> Result<Value, any Error> {
        switch (value, error, policy) {
        case (let value?, nil, _), (let value?, .some, .valueWins): .success(value)
        case (_, let error?, _): .failure(error)
        case (nil, nil, _): .failure(BridgeFault(.noResult, made: self.made))
        }
    }
}

extension Callback where Failure == any Error, Value == Void {
    /// Makes a handler of the shape `((any Error)?) -> Void`, where no error is success.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler.
    @inlinable
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
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler. `false` without an error is ``BridgeFault/Code-swift.struct/unsuccessful``.
    @inlinable
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
}

extension Callback where Failure == any Error, Value == Bool {
    /// Makes a handler of the shape `(Bool, (any Error)?) -> Void`, where `false` is a value like `true`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler. An error wins over the value.
    @inlinable
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
