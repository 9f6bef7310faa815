// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Handlers that are made from a named function, one for each number of arguments; see `Callback+ClosureHandlers.swift`.

extension CallbackSequence.Sink where Element: Sendable {
    /// Makes a handler from a function that returns an element, or throws to end the sequence.
    ///
    /// For `sink.handler(decode)`: a named function does not promise to give its result away, so elements must be
    /// `Sendable`. Everything else is as for a closure.
    ///
    /// ## Isolation
    /// The function runs in the source's call, on its thread. It must not be isolated to an actor.
    ///
    /// - Parameter element: Receives the source's arguments: any number of values, `Sendable` or not. If it throws, the
    ///   sequence fails.
    /// - Returns: The handler, which may be called on any thread.
    @_disfavoredOverload
    public func handler<A>(
        _ element: @escaping @Sendable (A) throws(Failure) -> Element
    ) -> @Sendable (A) -> Void {
        { a in
            do throws(Failure) { self.yield(try element(a)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with no argument from a function that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler(
        _ element: @escaping @Sendable () throws(Failure) -> Element
    ) -> @Sendable () -> Void {
        {
            do throws(Failure) { self.yield(try element()) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with two arguments from a function that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B>(
        _ element: @escaping @Sendable (A, B) throws(Failure) -> Element
    ) -> @Sendable (A, B) -> Void {
        { a, b in
            do throws(Failure) { self.yield(try element(a, b)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with three arguments from a function that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B, C>(
        _ element: @escaping @Sendable (A, B, C) throws(Failure) -> Element
    ) -> @Sendable (A, B, C) -> Void {
        { a, b, c in
            do throws(Failure) { self.yield(try element(a, b, c)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with four arguments from a function that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B, C, D>(
        _ element: @escaping @Sendable (A, B, C, D) throws(Failure) -> Element
    ) -> @Sendable (A, B, C, D) -> Void {
        { a, b, c, d in
            do throws(Failure) { self.yield(try element(a, b, c, d)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with five arguments from a function that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B, C, D, E>(
        _ element: @escaping @Sendable (A, B, C, D, E) throws(Failure) -> Element
    ) -> @Sendable (A, B, C, D, E) -> Void {
        { a, b, c, d, e in
            do throws(Failure) { self.yield(try element(a, b, c, d, e)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with six arguments from a function that returns an element, or throws to end the sequence.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B, C, D, E, F>(
        _ element: @escaping @Sendable (A, B, C, D, E, F) throws(Failure) -> Element
    ) -> @Sendable (A, B, C, D, E, F) -> Void {
        { a, b, c, d, e, f in
            do throws(Failure) { self.yield(try element(a, b, c, d, e, f)) } catch { self.fail(error) }
        }
    }

    /// Makes a handler with seven or more arguments from a function that returns an element, or throws as the end.
    ///
    /// Those after the seventh must be neither tuples, nor `Void`, nor closures: the compiler (6.3.1) crashes.
    ///
    /// - Parameter element: Receives the source's arguments, `Sendable` or not.
    /// - Returns: The handler, which may be called on any thread.
    public func handler<A, B, C, D, E, F, G, each Argument>(
        _ element: @escaping @Sendable (A, B, C, D, E, F, G, repeat each Argument) throws(Failure) -> Element
    ) -> @Sendable (A, B, C, D, E, F, G, repeat each Argument) -> Void {
        { (a: A, b: B, c: C, d: D, e: E, f: F, g: G, argument: repeat each Argument) in
            do throws(Failure) {
                self.yield(try element(a, b, c, d, e, f, g, repeat each argument))
            } catch {
                self.fail(error)
            }
        }
    }
}
