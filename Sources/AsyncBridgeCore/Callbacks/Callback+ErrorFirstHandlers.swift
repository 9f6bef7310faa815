// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// As `Callback+TupleHandlers.swift`, for APIs that call back with the error first.

extension Callback where Failure == any Error {
    /// Makes a handler for an error and two values, where the error comes first.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler. A value that is missing without an error becomes
    ///   ``BridgeFault/Code-swift.struct/valueMissing``, unless its type is optional.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable ((any Error)?, A?, B?) -> Void where Value == (A, B) {
        { error, a, b in
            let value: Value? = if let a = Self.element(a), let b = Self.element(b) { (a, b) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b] }
        }
    }

    /// Makes a handler for an error and three values, where the error comes first.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler. A value that is missing without an error becomes
    ///   ``BridgeFault/Code-swift.struct/valueMissing``, unless its type is optional.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable ((any Error)?, A?, B?, C?) -> Void where Value == (A, B, C) {
        { error, a, b, c in
            let value: Value? =
                if let a = Self.element(a), let b = Self.element(b), let c = Self.element(c) { (a, b, c) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c] }
        }
    }

    /// Makes a handler for an error and four values, where the error comes first.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler. A value that is missing without an error becomes
    ///   ``BridgeFault/Code-swift.struct/valueMissing``, unless its type is optional.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable ((any Error)?, A?, B?, C?, D?) -> Void where Value == (A, B, C, D) {
        { error, a, b, c, d in
            let value: Value? =
                if let a = Self.element(a), let b = Self.element(b), let c = Self.element(c), let d = Self.element(d) {
                    (a, b, c, d)
                } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c, d] }
        }
    }

    /// Makes a handler for an error and five values, where the error comes first.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler. A value that is missing without an error becomes
    ///   ``BridgeFault/Code-swift.struct/valueMissing``, unless its type is optional.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable ((any Error)?, A?, B?, C?, D?, E?) -> Void where Value == (A, B, C, D, E) {
        { error, a, b, c, d, e in
            let value: Value? =
                if let a = Self.element(a), let b = Self.element(b), let c = Self.element(c), let d = Self.element(d),
                    let e = Self.element(e)
                { (a, b, c, d, e) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c, d, e] }
        }
    }

    /// Makes a handler for an error and six values, where the error comes first.
    ///
    /// - Parameters:
    ///   - policy: What counts if there are both a value and an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler. A value that is missing without an error becomes
    ///   ``BridgeFault/Code-swift.struct/valueMissing``, unless its type is optional.
    @_alwaysEmitIntoClient
    public func handler<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable>(
        both policy: ValueAndErrorPolicy = .errorWins,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable ((any Error)?, A?, B?, C?, D?, E?, F?) -> Void where Value == (A, B, C, D, E, F) {
        { error, a, b, c, d, e, f in
            let value: Value? =
                if let a = Self.element(a), let b = Self.element(b), let c = Self.element(c), let d = Self.element(d),
                    let e = Self.element(e), let f = Self.element(f)
                { (a, b, c, d, e, f) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c, d, e, f] }
        }
    }
}
