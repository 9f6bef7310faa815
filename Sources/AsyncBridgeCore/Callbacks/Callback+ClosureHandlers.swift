// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Handlers that are made from a closure which returns the answer.
//
// One function for each number of arguments. Why not one with a parameter pack: the compiler (6.3.1) crashes, without a
// message, when it converts a handler of a pack to a function whose parameter is a tuple, `Void` or a closure.
//
// A closure with two parameters fits a handler whose one argument is a pair, too: the one for two arguments is chosen.

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
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments: any number of values, `Sendable` or not.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    public func handler<A>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (A) throws(Failure) -> sending Value
    ) -> @Sendable (A) -> Void {
        { a in
            do throws(Failure) {
                self.resume(returning: try answer(a), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with no argument from a closure that returns the answer, or throws.
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
        _ answer: @escaping @Sendable () throws(Failure) -> sending Value
    ) -> @Sendable () -> Void {
        {
            do throws(Failure) {
                self.resume(returning: try answer(), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with two arguments from a closure that returns the answer, or throws.
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
        _ answer: @escaping @Sendable (A, B) throws(Failure) -> sending Value
    ) -> @Sendable (A, B) -> Void {
        { a, b in
            do throws(Failure) {
                self.resume(returning: try answer(a, b), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with three arguments from a closure that returns the answer, or throws.
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
        _ answer: @escaping @Sendable (A, B, C) throws(Failure) -> sending Value
    ) -> @Sendable (A, B, C) -> Void {
        { a, b, c in
            do throws(Failure) {
                self.resume(returning: try answer(a, b, c), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with four arguments from a closure that returns the answer, or throws.
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
        _ answer: @escaping @Sendable (A, B, C, D) throws(Failure) -> sending Value
    ) -> @Sendable (A, B, C, D) -> Void {
        { a, b, c, d in
            do throws(Failure) {
                self.resume(returning: try answer(a, b, c, d), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with five arguments from a closure that returns the answer, or throws.
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
        _ answer: @escaping @Sendable (A, B, C, D, E) throws(Failure) -> sending Value
    ) -> @Sendable (A, B, C, D, E) -> Void {
        { a, b, c, d, e in
            do throws(Failure) {
                self.resume(returning: try answer(a, b, c, d, e), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with six arguments from a closure that returns the answer, or throws.
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
        _ answer: @escaping @Sendable (A, B, C, D, E, F) throws(Failure) -> sending Value
    ) -> @Sendable (A, B, C, D, E, F) -> Void {
        { a, b, c, d, e, f in
            do throws(Failure) {
                self.resume(returning: try answer(a, b, c, d, e, f), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler with seven or more arguments from a closure that returns the answer, or throws.
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
        _ answer: @escaping @Sendable (A, B, C, D, E, F, G, repeat each Argument) throws(Failure) -> sending Value
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

extension Callback {
    /// Makes a handler of the shape `(A...) -> Void`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments in an array.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable ([A]) throws(Failure) -> sending Value
    ) -> @Sendable (A...) -> Void {
        { (arguments: A...) in
            do throws(Failure) {
                self.resume(returning: try answer(arguments), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }
}
