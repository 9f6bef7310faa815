// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Handlers for APIs that call back with a value that contains a result, such as a response with headers and metrics.
// Each exists twice: for the callback's own error type, and for any known type if the callback takes all errors.

extension Callback {
    /// Makes a handler from the path to the result, for an API that calls back with a response.
    ///
    /// ```swift
    /// let quote = try await withCallback { callback in
    ///     client.respond(id: 1, completion: callback.resultHandler(\.result))
    /// }
    /// ```
    ///
    /// To get more of the response than its result, use `callback.handler { response in (try response.result.get(),
    /// response.metrics) }`.
    ///
    /// - Parameters:
    ///   - result: The path from the response to its result.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    public func resultHandler<Response>(
        _ result: any KeyPath<Response, Result<Value, Failure>> & Sendable,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Response) -> Void where Value: Sendable {
        { self.resume(with: $0[keyPath: result], fileID: fileID, line: line) }
    }
}

extension Callback where Failure == any Error {
    /// Makes a handler from the path to the result, whose error is of a known type.
    ///
    /// - Parameters:
    ///   - result: The path from the API's argument to its result.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The handler.
    public func resultHandler<Response, KnownFailure: Error>(
        _ result: any KeyPath<Response, Result<Value, KnownFailure>> & Sendable,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> @Sendable (Response) -> Void where Value: Sendable {
        { self.resume(with: $0[keyPath: result], fileID: fileID, line: line) }
    }
}
