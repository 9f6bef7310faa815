// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The same handlers for a tuple that is declared with optional elements: a function that returns
// `(quotes: [Quote], cursor: String?)`. Without them the compiler would infer `([Quote], String)` and convert the tuple
// afterwards, and a `nil` would never arrive.
//
// The last parameter is never given. It makes the compiler prefer the other handlers where nothing is declared, so that
// the values of `let (data, response) = …` are not optional.

extension Callback where Failure == any Error {
    /// Makes a handler for two values and an error, of which the first may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable (A?, B?, (any Error)?) -> Void where Value == (A?, B) {
        { a, b, error in
            let value: Value? = if let b { (a, b) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b] }
        }
    }

    /// Makes a handler for two values and an error, of which the second may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable (A?, B?, (any Error)?) -> Void where Value == (A, B?) {
        { a, b, error in
            let value: Value? = if let a { (a, b) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b] }
        }
    }

    /// Makes a handler for two values and an error, of which both may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable (A?, B?, (any Error)?) -> Void where Value == (A?, B?) {
        { a, b, error in
            let value: Value? = (a, b)
            self.settle(value, error, policy, fileID, line) { [a, b] }
        }
    }

    /// Makes a handler for an error and two values, where the error comes first, and the first may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable ((any Error)?, A?, B?) -> Void where Value == (A?, B) {
        { error, a, b in
            let value: Value? = if let b { (a, b) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b] }
        }
    }

    /// Makes a handler for an error and two values, where the error comes first, and the second may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable ((any Error)?, A?, B?) -> Void where Value == (A, B?) {
        { error, a, b in
            let value: Value? = if let a { (a, b) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b] }
        }
    }

    /// Makes a handler for an error and two values, where the error comes first, and both may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable ((any Error)?, A?, B?) -> Void where Value == (A?, B?) {
        { error, a, b in
            let value: Value? = (a, b)
            self.settle(value, error, policy, fileID, line) { [a, b] }
        }
    }
}
