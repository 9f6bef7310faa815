// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// As `Callback+OptionalElements.swift`, for an error and three values.

extension Callback where Failure == any Error {
    /// Makes a handler for an error, which comes first, and three values, of which the first may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable ((any Error)?, A?, B?, C?) -> Void where Value == (A?, B, C) {
        { error, a, b, c in
            let value: Value? = if let b, let c { (a, b, c) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c] }
        }
    }

    /// Makes a handler for an error, which comes first, and three values, of which the second may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable ((any Error)?, A?, B?, C?) -> Void where Value == (A, B?, C) {
        { error, a, b, c in
            let value: Value? = if let a, let c { (a, b, c) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c] }
        }
    }

    /// Makes a handler for an error, which comes first, and three values, of which the third may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable ((any Error)?, A?, B?, C?) -> Void where Value == (A, B, C?) {
        { error, a, b, c in
            let value: Value? = if let a, let b { (a, b, c) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c] }
        }
    }

    /// Makes a handler for an error, which comes first, and three values, of which the first and second may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable ((any Error)?, A?, B?, C?) -> Void where Value == (A?, B?, C) {
        { error, a, b, c in
            let value: Value? = if let c { (a, b, c) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c] }
        }
    }

    /// Makes a handler for an error, which comes first, and three values, of which the first and third may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable ((any Error)?, A?, B?, C?) -> Void where Value == (A?, B, C?) {
        { error, a, b, c in
            let value: Value? = if let b { (a, b, c) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c] }
        }
    }

    /// Makes a handler for an error, which comes first, and three values, of which the second and third may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable ((any Error)?, A?, B?, C?) -> Void where Value == (A, B?, C?) {
        { error, a, b, c in
            let value: Value? = if let a { (a, b, c) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c] }
        }
    }

    /// Makes a handler for an error, which comes first, and three values, of which all may be `nil`.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - _: Never given; see above.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _: Void...
    ) -> @Sendable ((any Error)?, A?, B?, C?) -> Void where Value == (A?, B?, C?) {
        { error, a, b, c in
            let value: Value? = (a, b, c)
            self.settle(value, error, policy, fileID, line) { [a, b, c] }
        }
    }
}
