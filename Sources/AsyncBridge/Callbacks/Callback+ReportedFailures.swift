// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

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
