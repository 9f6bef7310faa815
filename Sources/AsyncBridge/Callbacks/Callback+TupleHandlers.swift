// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Handlers for APIs that call back with several values: each is optional, and all are present if there is no error,
// such as the data and the response of a URL session. The value of the callback is a tuple of them.

extension Callback where Failure == any Error {
    /// Makes a handler for two values and an error.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler. A missing value without an error becomes ``BridgeFault/Code-swift.struct/noResult``.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (A?, B?, (any Error)?) -> Void where Value == (A, B) {
        { a, b, error in
            let value: Value? = if let a, let b { (a, b) } else { nil }
            self.resume(with: self.choose(value, error, policy), fileID: fileID, line: line)
        }
    }

    /// Makes a handler for three values and an error.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler. A missing value without an error becomes ``BridgeFault/Code-swift.struct/noResult``.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (A?, B?, C?, (any Error)?) -> Void where Value == (A, B, C) {
        { a, b, c, error in
            let value: Value? = if let a, let b, let c { (a, b, c) } else { nil }
            self.resume(with: self.choose(value, error, policy), fileID: fileID, line: line)
        }
    }

    /// Makes a handler for four values and an error.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler. A missing value without an error becomes ``BridgeFault/Code-swift.struct/noResult``.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (A?, B?, C?, D?, (any Error)?) -> Void where Value == (A, B, C, D) {
        { a, b, c, d, error in
            let value: Value? = if let a, let b, let c, let d { (a, b, c, d) } else { nil }
            self.resume(with: self.choose(value, error, policy), fileID: fileID, line: line)
        }
    }

    /// Makes a handler for five values and an error.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler. A missing value without an error becomes ``BridgeFault/Code-swift.struct/noResult``.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (A?, B?, C?, D?, E?, (any Error)?) -> Void where Value == (A, B, C, D, E) {
        { a, b, c, d, e, error in
            let value: Value? = if let a, let b, let c, let d, let e { (a, b, c, d, e) } else { nil }
            self.resume(with: self.choose(value, error, policy), fileID: fileID, line: line)
        }
    }

    /// Makes a handler for six values and an error.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler. A missing value without an error becomes ``BridgeFault/Code-swift.struct/noResult``.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (A?, B?, C?, D?, E?, F?, (any Error)?) -> Void where Value == (A, B, C, D, E, F) {
        { a, b, c, d, e, f, error in
            let value: Value? = if let a, let b, let c, let d, let e, let f { (a, b, c, d, e, f) } else { nil }
            self.resume(with: self.choose(value, error, policy), fileID: fileID, line: line)
        }
    }

    /// Makes a handler for an error and two or more values, where the error comes first.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: The handler. A missing value without an error becomes ``BridgeFault/Code-swift.struct/noResult``.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, each T: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable ((any Error)?, A?, B?, repeat (each T)?) -> Void where Value == (A, B, repeat each T) {
        { (error: (any Error)?, a: A?, b: B?, rest: repeat (each T)?) in
            let value = Self.unwrap(a, b, repeat each rest)
            self.resume(with: self.choose(value, error, policy), fileID: fileID, line: line)
        }
    }

    /// Answers with two or more values or an error: for a shape that no handler has.
    ///
    /// ```swift
    /// let (quote, author) = try await withCallback(of: (Quote, String).self) { callback in
    ///     client.fetchRanked(id: 1) { @Sendable quote, author, error, _ in callback(quote, author, error: error) }
    /// }
    /// ```
    ///
    /// The closure says `@Sendable` for libraries that do not. `callback.handler { … }` does so by itself.
    ///
    /// - Parameters:
    ///   - a: The first value.
    ///   - b: The second value.
    ///   - rest: The other values.
    ///   - error: The error, which wins over the values.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: Whether this was the first answer, and came while the wait was still open.
    @discardableResult
    public func callAsFunction<A: Sendable, B: Sendable, each T: Sendable>(
        _ a: A?,
        _ b: B?,
        _ rest: repeat (each T)?,
        error: (any Error)?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Bool where Value == (A, B, repeat each T) {
        let value = Self.unwrap(a, b, repeat each rest)
        return self.resume(with: self.choose(value, error, .errorWins), fileID: fileID, line: line)
    }

    @usableFromInline
    static func unwrap<A, B, each T>(_ a: A?, _ b: B?, _ rest: repeat (each T)?) -> (A, B, repeat each T)? {
        // Only a thrown error can leave an expansion early.
        try? (present(a), present(b), repeat present(each rest))
    }
}

private struct ValueMissing: Error {}

private func present<Value>(_ value: Value?) throws(ValueMissing) -> Value {
    guard let value else { throw ValueMissing() }
    return value
}
