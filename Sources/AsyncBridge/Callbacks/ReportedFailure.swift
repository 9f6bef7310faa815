// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A failure that an API reported with a value that is no `Error`, as an error.
///
/// Some libraries call a structure or an enumeration `…Error`, hand it to completion handlers, and never throw it. A
/// bridge throws it in this wrapper:
///
/// ```swift
/// do {
///     let text = try await withCallback(of: String.self) { callback in
///         client.fetchText(completion: callback.handler(failure: ServerError.self))
///     }
///     show(text)
/// } catch let failure as ReportedFailure<ServerError> {
///     show(failure.value.code)
/// }
/// ```
public struct ReportedFailure<Value>: Error, @unchecked Sendable, CustomStringConvertible {
    // Safe: the value is `Sendable`, or who wrapped it has promised that nobody else uses it.

    /// What the API reported.
    public let value: Value

    /// Wraps what an API reported.
    ///
    /// - Parameter value: The value.
    public init(_ value: Value) where Value: Sendable { self.value = value }

    /// Wraps what an API reported and releases.
    ///
    /// - Parameter value: The value, which nothing else uses.
    @unsafe
    public init(unchecked value: Value) { self.value = value }

    /// The value in words.
    public var description: String { "the API reported: \(self.value)" }

    /// The value as what is thrown: itself, if it is an error.
    static func error(_ value: Value) -> any Error where Value: Sendable {
        (value as? any Error) ?? ReportedFailure(value)
    }
}

extension Callback where Failure == any Error, Value: Sendable {
    /// Makes a handler for an API that reports failures with a type of its own, which may be no `Error`.
    ///
    /// ```swift
    /// let text = try await withCallback(of: String.self) { callback in
    ///     client.fetchText(completion: callback.handler(failure: ServerError.self))
    /// }
    /// ```
    ///
    /// What is an error is thrown as it is. Anything else is thrown as a ``ReportedFailure``.
    ///
    /// - Parameters:
    ///   - failure: The type with which the API reports a failure.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    public func handler<Reported: Sendable>(
        failure: Reported.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Value?, Reported?) -> Void {
        let handler: @Sendable (Value?, (any Error)?) -> Void = self.handler(fileID: fileID, line: line)
        return { handler($0, $1.map(ReportedFailure.error)) }
    }

    /// Makes a handler for an API that calls back with two values or a failure, of a type which may be no `Error`.
    ///
    /// What is an error is thrown as it is. Anything else is thrown as a ``ReportedFailure``.
    ///
    /// - Parameters:
    ///   - failure: The type with which the API reports a failure.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    public func handler<A: Sendable, B: Sendable, Reported: Sendable>(
        failure: Reported.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (A?, B?, Reported?) -> Void where Value == (A, B) {
        let handler: @Sendable (A?, B?, (any Error)?) -> Void = self.handler(fileID: fileID, line: line)
        return { handler($0, $1, $2.map(ReportedFailure.error)) }
    }

    /// Makes a handler for an API that calls back with three values or a failure, of a type which may be no `Error`.
    ///
    /// What is an error is thrown as it is. Anything else is thrown as a ``ReportedFailure``.
    ///
    /// - Parameters:
    ///   - failure: The type with which the API reports a failure.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    public func handler<A: Sendable, B: Sendable, C: Sendable, Reported: Sendable>(
        failure: Reported.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (A?, B?, C?, Reported?) -> Void where Value == (A, B, C) {
        let handler: @Sendable (A?, B?, C?, (any Error)?) -> Void = self.handler(fileID: fileID, line: line)
        return { handler($0, $1, $2, $3.map(ReportedFailure.error)) }
    }
}

extension Callback where Failure == any Error, Value == Void {
    /// Makes a handler for an API that calls back with nothing but a failure, of a type which may be no `Error`.
    ///
    /// What is an error is thrown as it is. Anything else is thrown as a ``ReportedFailure``.
    ///
    /// - Parameters:
    ///   - failure: The type with which the API reports a failure.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    public func handler<Reported: Sendable>(
        failure: Reported.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Reported?) -> Void {
        let handler: @Sendable ((any Error)?) -> Void = self.handler(fileID: fileID, line: line)
        return { handler($0.map(ReportedFailure.error)) }
    }
}
