// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Handlers for APIs that call back with several values, such as the data and the response of a URL session. The value
// of the callback is a tuple of them. All are present if there is no error; one whose type is optional may be `nil`.
// A value that is missing without an error becomes `BridgeFault.Code.valueMissing`, with the others in the fault.

extension Callback where Failure == any Error {
    /// Makes a handler for two values and an error.
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
    ) -> @Sendable (A?, B?, (any Error)?) -> Void where Value == (A, B) {
        { a, b, error in
            let value: Value? = if let a = Self.element(a), let b = Self.element(b) { (a, b) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b] }
        }
    }

    /// Makes a handler for three values and an error.
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
    ) -> @Sendable (A?, B?, C?, (any Error)?) -> Void where Value == (A, B, C) {
        { a, b, c, error in
            let value: Value? =
                if let a = Self.element(a), let b = Self.element(b), let c = Self.element(c) { (a, b, c) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c] }
        }
    }

    /// Makes a handler for four values and an error.
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
    ) -> @Sendable (A?, B?, C?, D?, (any Error)?) -> Void where Value == (A, B, C, D) {
        { a, b, c, d, error in
            let value: Value? =
                if let a = Self.element(a), let b = Self.element(b), let c = Self.element(c), let d = Self.element(d) {
                    (a, b, c, d)
                } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c, d] }
        }
    }

    /// Makes a handler for five values and an error.
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
    ) -> @Sendable (A?, B?, C?, D?, E?, (any Error)?) -> Void where Value == (A, B, C, D, E) {
        { a, b, c, d, e, error in
            let value: Value? =
                if let a = Self.element(a), let b = Self.element(b), let c = Self.element(c), let d = Self.element(d),
                    let e = Self.element(e)
                { (a, b, c, d, e) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c, d, e] }
        }
    }

    /// Makes a handler for six values and an error.
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
    ) -> @Sendable (A?, B?, C?, D?, E?, F?, (any Error)?) -> Void where Value == (A, B, C, D, E, F) {
        { a, b, c, d, e, f, error in
            let value: Value? =
                if let a = Self.element(a), let b = Self.element(b), let c = Self.element(c), let d = Self.element(d),
                    let e = Self.element(e), let f = Self.element(f)
                { (a, b, c, d, e, f) } else { nil }
            self.settle(value, error, policy, fileID, line) { [a, b, c, d, e, f] }
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
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
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
        return self.settle(value, error, .errorWins, fileID, line) {
            var elements: [(any Sendable)?] = [a, b]
            for element in repeat each rest { elements.append(element) }
            return elements
        }
    }

    private static func unwrap<A, B, each T>(_ a: A?, _ b: B?, _ rest: repeat (each T)?) -> (A, B, repeat each T)? {
        // Only a thrown error can leave an expansion early.
        try? (present(a), present(b), repeat present(each rest))
    }
}

private struct ValueMissing: Error {}

private func present<Element>(_ element: Element?) throws(ValueMissing) -> Element {
    guard let element = element ?? absent(Element.self) else { throw ValueMissing() }
    return element
}
