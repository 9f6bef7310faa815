// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Handlers made from a closure which returns an element: one function for each number of arguments, and not one
// with a parameter pack; see `Callback+ClosureHandlers.swift`.

extension CallbackSequence.Sink {
    /// Makes a handler from a closure that returns an element, or throws to end the sequence: for a source of any
    /// shape.
    ///
    /// ```swift
    /// let places = CallbackSequence<String, any Error> { sink in
    ///     let watch = receiver.watchPlaces(
    ///         onPlace: sink.handler { name, accuracy, error in
    ///             if let error { throw error }
    ///             return "\(name), within \(accuracy) m"
    ///         }
    ///     )
    ///     return { watch.stop() }
    /// }
    /// ```
    ///
    /// A closure that calls `sink.yield` is isolated to the main actor if it is written in a `@MainActor` class (though
    /// not in a builder), and ends the process when a library from before Swift 6 calls it on another thread. This one
    /// is `@Sendable` by its type, so it is isolated to no actor. For more than one element or end per call, write a
    /// closure that is declared `@Sendable`: `{ @Sendable name, isLast in … }`.
    ///
    /// ## Isolation
    /// The closure runs in the source's call, on its thread. What it returns is sent to the consumer.
    ///
    /// - Parameter element: Receives the source's arguments: any number of values, `Sendable` or not. If it throws, the
    ///   sequence fails.
    /// - Returns: The handler, which may be called on any thread.
    @_disfavoredOverload
    public func handler<A>(
        _ element: @escaping @Sendable (A) throws(Failure) -> sending Element
    ) -> @Sendable (A) -> Void {
        { a in
            do throws(Failure) { self.yield(try element(a)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with no argument from a closure that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler(
        _ element: @escaping @Sendable () throws(Failure) -> sending Element
    ) -> @Sendable () -> Void {
        {
            do throws(Failure) { self.yield(try element()) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with two arguments from a closure that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B>(
        _ element: @escaping @Sendable (A, B) throws(Failure) -> sending Element
    ) -> @Sendable (A, B) -> Void {
        { a, b in
            do throws(Failure) { self.yield(try element(a, b)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with three arguments from a closure that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B, C>(
        _ element: @escaping @Sendable (A, B, C) throws(Failure) -> sending Element
    ) -> @Sendable (A, B, C) -> Void {
        { a, b, c in
            do throws(Failure) { self.yield(try element(a, b, c)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with four arguments from a closure that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B, C, D>(
        _ element: @escaping @Sendable (A, B, C, D) throws(Failure) -> sending Element
    ) -> @Sendable (A, B, C, D) -> Void {
        { a, b, c, d in
            do throws(Failure) { self.yield(try element(a, b, c, d)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with five arguments from a closure that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B, C, D, E>(
        _ element: @escaping @Sendable (A, B, C, D, E) throws(Failure) -> sending Element
    ) -> @Sendable (A, B, C, D, E) -> Void {
        { a, b, c, d, e in
            do throws(Failure) { self.yield(try element(a, b, c, d, e)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with six arguments from a closure that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B, C, D, E, F>(
        _ element: @escaping @Sendable (A, B, C, D, E, F) throws(Failure) -> sending Element
    ) -> @Sendable (A, B, C, D, E, F) -> Void {
        { a, b, c, d, e, f in
            do throws(Failure) { self.yield(try element(a, b, c, d, e, f)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with seven or more arguments from a closure that returns an element, or throws as the end.
    ///
    /// Those after the seventh must be neither tuples, nor `Void`, nor closures: the compiler (6.3.1) crashes.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B, C, D, E, F, G, each Argument>(
        _ element: @escaping @Sendable (A, B, C, D, E, F, G, repeat each Argument) throws(Failure) -> sending Element
    ) -> @Sendable (A, B, C, D, E, F, G, repeat each Argument) -> Void {
        { (a: A, b: B, c: C, d: D, e: E, f: F, g: G, argument: repeat each Argument) in
            do throws(Failure) {
                self.yield(try element(a, b, c, d, e, f, g, repeat each argument))
            } catch {
                self.fail(error)
            }
        }
    }

    /// Makes a handler of the shape `(A...) -> Void`.
    ///
    /// - Parameter element: Receives the source's arguments in an array.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A>(
        _ element: @escaping @Sendable ([A]) throws(Failure) -> sending Element
    ) -> @Sendable (A...) -> Void {
        { (arguments: A...) in
            do throws(Failure) { self.yield(try element(arguments)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler of the shape `(inout A) -> Void`.
    ///
    /// - Parameter element: Receives the source's argument, and may change it.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A>(
        _ element: @escaping @Sendable (inout A) throws(Failure) -> sending Element
    ) -> @Sendable (inout A) -> Void {
        { (argument: inout A) in
            do throws(Failure) { self.yield(try element(&argument)) } catch { self.fail(error) }
        }
    }
}
