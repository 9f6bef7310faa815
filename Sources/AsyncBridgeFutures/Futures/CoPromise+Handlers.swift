// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// One function for each number of arguments, and not one with a parameter pack; see `Callback+ClosureHandlers.swift` of
// AsyncBridge.

extension CoPromise {
    /// Makes a completion handler for an API of any shape from a closure that returns the value, or throws.
    ///
    /// ```swift
    /// func rankedQuote(_ client: QuoteClient) -> CoFuture<String> {
    ///     let promise = CoPromise<String>()
    ///     client.ranked(
    ///         completion: promise.handler { text, rank, error in
    ///             if let error { throw error }
    ///             return "\(rank). \(text ?? "")"
    ///         }
    ///     )
    ///     return promise.future
    /// }
    /// ```
    ///
    /// If the API calls back with a `Result`, the closure is `{ try $0.get() }`, whatever the type of the error:
    ///
    /// ```swift
    /// let rating = CoPromise<Int>()
    /// client.fetchRating(completion: rating.handler { try $0.get() })  // A Result<Int, Unavailable>.
    /// ```
    ///
    /// Why not a closure that calls `promise.success`: if that is written in a `@MainActor` class, it is isolated to
    /// the main actor, and ends the process when a library from before Swift 6 calls it on another thread. The closure
    /// given to this function is `@Sendable`, so it is isolated to no actor.
    ///
    /// The first completion counts. The handler keeps the promise alive.
    ///
    /// ## Isolation
    /// The closure runs in the API's call, on its thread, and so do the observers.
    ///
    /// - Parameter value: Receives the API's arguments: any number of values, `Sendable` or not. If it throws, the
    ///   future fails.
    /// - Returns: The handler.
    @_disfavoredOverload
    public func handler<A>(
        _ value: @escaping @Sendable (A) throws -> Value
    ) -> @Sendable (A) -> Void {
        { a in
            do { self.success(try value(a)) } catch { self.fail(error) }
        }
    }

    /// Makes a completion handler with no argument from a closure that returns the value, or throws.
    ///
    /// - Parameter value: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    public func handler(
        _ value: @escaping @Sendable () throws -> Value
    ) -> @Sendable () -> Void {
        {
            do { self.success(try value()) } catch { self.fail(error) }
        }
    }

    /// Makes a completion handler with two arguments from a closure that returns the value, or throws.
    ///
    /// - Parameter value: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    public func handler<A, B>(
        _ value: @escaping @Sendable (A, B) throws -> Value
    ) -> @Sendable (A, B) -> Void {
        { a, b in
            do { self.success(try value(a, b)) } catch { self.fail(error) }
        }
    }

    /// Makes a completion handler with three arguments from a closure that returns the value, or throws.
    ///
    /// - Parameter value: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    public func handler<A, B, C>(
        _ value: @escaping @Sendable (A, B, C) throws -> Value
    ) -> @Sendable (A, B, C) -> Void {
        { a, b, c in
            do { self.success(try value(a, b, c)) } catch { self.fail(error) }
        }
    }

    /// Makes a completion handler with four arguments from a closure that returns the value, or throws.
    ///
    /// - Parameter value: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    public func handler<A, B, C, D>(
        _ value: @escaping @Sendable (A, B, C, D) throws -> Value
    ) -> @Sendable (A, B, C, D) -> Void {
        { a, b, c, d in
            do { self.success(try value(a, b, c, d)) } catch { self.fail(error) }
        }
    }

    /// Makes a completion handler with five arguments from a closure that returns the value, or throws.
    ///
    /// - Parameter value: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    public func handler<A, B, C, D, E>(
        _ value: @escaping @Sendable (A, B, C, D, E) throws -> Value
    ) -> @Sendable (A, B, C, D, E) -> Void {
        { a, b, c, d, e in
            do { self.success(try value(a, b, c, d, e)) } catch { self.fail(error) }
        }
    }

    /// Makes a completion handler with six arguments from a closure that returns the value, or throws.
    ///
    /// - Parameter value: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    public func handler<A, B, C, D, E, F>(
        _ value: @escaping @Sendable (A, B, C, D, E, F) throws -> Value
    ) -> @Sendable (A, B, C, D, E, F) -> Void {
        { a, b, c, d, e, f in
            do { self.success(try value(a, b, c, d, e, f)) } catch { self.fail(error) }
        }
    }

    /// Makes a completion handler with seven or more arguments from a closure that returns the value, or throws.
    ///
    /// Those after the seventh must be neither tuples, nor `Void`, nor closures: the compiler (6.3.1) crashes.
    ///
    /// - Parameter value: Receives the API's arguments, `Sendable` or not.
    /// - Returns: The handler.
    public func handler<A, B, C, D, E, F, G, each Argument>(
        _ value: @escaping @Sendable (A, B, C, D, E, F, G, repeat each Argument) throws -> Value
    ) -> @Sendable (A, B, C, D, E, F, G, repeat each Argument) -> Void {
        { (a: A, b: B, c: C, d: D, e: E, f: F, g: G, argument: repeat each Argument) in
            do { self.success(try value(a, b, c, d, e, f, g, repeat each argument)) } catch { self.fail(error) }
        }
    }

    /// Makes a completion handler of the shape `(A...) -> Void`.
    ///
    /// - Parameter value: Receives the API's arguments in an array.
    /// - Returns: The handler.
    public func handler<A>(_ value: @escaping @Sendable ([A]) throws -> Value) -> @Sendable (A...) -> Void {
        { (arguments: A...) in
            do { self.success(try value(arguments)) } catch { self.fail(error) }
        }
    }

    /// Makes a completion handler of the shape `(inout A) -> Void`.
    ///
    /// - Parameter value: Receives the API's argument, and may change it.
    /// - Returns: The handler.
    public func handler<A>(_ value: @escaping @Sendable (inout A) throws -> Value) -> @Sendable (inout A) -> Void {
        { (argument: inout A) in
            do { self.success(try value(&argument)) } catch { self.fail(error) }
        }
    }
}
