// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Handlers that are made from a named function, one for each number of arguments; see `Callback+ClosureHandlers.swift`.

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
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments: any number of values, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    public func handler<A>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (A) throws(Failure) -> Value
    ) -> @Sendable (A) -> Void {
        { a in
            do throws(Failure) {
                self.resume(returning: try answer(a), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with no argument from a function that returns the answer, or throws.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable () throws(Failure) -> Value
    ) -> @Sendable () -> Void {
        {
            do throws(Failure) {
                self.resume(returning: try answer(), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with two arguments from a function that returns the answer, or throws.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A, B>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (A, B) throws(Failure) -> Value
    ) -> @Sendable (A, B) -> Void {
        { a, b in
            do throws(Failure) {
                self.resume(returning: try answer(a, b), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with three arguments from a function that returns the answer, or throws.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A, B, C>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (A, B, C) throws(Failure) -> Value
    ) -> @Sendable (A, B, C) -> Void {
        { a, b, c in
            do throws(Failure) {
                self.resume(returning: try answer(a, b, c), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with four arguments from a function that returns the answer, or throws.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A, B, C, D>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (A, B, C, D) throws(Failure) -> Value
    ) -> @Sendable (A, B, C, D) -> Void {
        { a, b, c, d in
            do throws(Failure) {
                self.resume(returning: try answer(a, b, c, d), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with five arguments from a function that returns the answer, or throws.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A, B, C, D, E>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (A, B, C, D, E) throws(Failure) -> Value
    ) -> @Sendable (A, B, C, D, E) -> Void {
        { a, b, c, d, e in
            do throws(Failure) {
                self.resume(returning: try answer(a, b, c, d, e), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with six arguments from a function that returns the answer, or throws.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A, B, C, D, E, F>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (A, B, C, D, E, F) throws(Failure) -> Value
    ) -> @Sendable (A, B, C, D, E, F) -> Void {
        { a, b, c, d, e, f in
            do throws(Failure) {
                self.resume(returning: try answer(a, b, c, d, e, f), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with seven or more arguments from a function that returns the answer, or throws.
    ///
    /// Those after the seventh must be neither tuples, nor `Void`, nor closures: the compiler (6.3.1) crashes.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A, B, C, D, E, F, G, each Argument>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (A, B, C, D, E, F, G, repeat each Argument) throws(Failure) -> Value
    ) -> @Sendable (A, B, C, D, E, F, G, repeat each Argument) -> Void {
        { (a: A, b: B, c: C, d: D, e: E, f: F, g: G, argument: repeat each Argument) in
            do throws(Failure) {
                self.resume(
                    returning: try answer(a, b, c, d, e, f, g, repeat each argument),
                    fileID: fileID,
                    line: line
                )
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }
}
