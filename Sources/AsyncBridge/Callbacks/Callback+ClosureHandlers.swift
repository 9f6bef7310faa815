// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension Callback {
    /// Makes a handler from a closure that returns the answer, or throws: for an API of any shape.
    ///
    /// ```swift
    /// let (text, rank) = try await withCallback { callback in
    ///     client.ranked(
    ///         completion: callback.handler { text, rank, error in
    ///             if let error { throw error }
    ///             return (text ?? "", rank)
    ///         }
    ///     )
    /// }
    /// ```
    ///
    /// ## Why not a closure that calls `resume`
    /// A closure written in a `@MainActor` class is isolated to the main actor, unless the API's parameter is
    /// `@Sendable`. A library from before Swift 6 does not declare that, and calls the closure on its own thread: there
    /// Swift ends the process. The compiler does not warn. This closure is `@Sendable` by its type, so it is isolated
    /// to no actor.
    ///
    /// ## Exactly one answer
    /// Each call of the handler runs the closure, and is an answer; see ``Callback``.
    ///
    /// ## Isolation
    /// The closure runs in the API's call, on its thread. What it returns is sent to the waiting task.
    ///
    /// ## Throws
    /// The closure throws the callback's type of error: any error, or none if the callback cannot fail. If that is an
    /// error of a known type, declare it: `{ text, error throws(LoaderError) in … }`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    ///   - answer: Receives the API's arguments: any number of values, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<each Argument>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (repeat each Argument) throws(Failure) -> sending Value
    ) -> @Sendable (repeat each Argument) -> Void {
        { (argument: repeat each Argument) in
            do throws(Failure) {
                self.resume(returning: try answer(repeat each argument), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }
}

extension Callback where Value: Sendable {
    /// Makes a handler from a function that returns the answer, or throws.
    ///
    /// For `callback.handler(decode)`: a named function does not promise to give its result away, so the result must be
    /// `Sendable`. Everything else is as for a closure.
    ///
    /// ## Isolation
    /// The function runs in the API's call, on its thread. It must not be isolated to an actor.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    ///   - answer: Receives the API's arguments: any number of values, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<each Argument>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (repeat each Argument) throws(Failure) -> Value
    ) -> @Sendable (repeat each Argument) -> Void {
        { (argument: repeat each Argument) in
            do throws(Failure) {
                self.resume(returning: try answer(repeat each argument), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }
}
