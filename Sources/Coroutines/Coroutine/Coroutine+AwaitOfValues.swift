// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

// One function for each number of values up to six. Why not one with a parameter pack: the compiler (6.3.1) crashes
// when it converts a callback of a pack to a function with a parameter that is a tuple, `Void` or a closure.

extension Coroutine {
    /// Waits for an API that calls back with four values.
    ///
    /// Cancellation and isolation are those of ``await(of:timeout:onUndelivered:fileID:line:_:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work with the callback.
    /// - Returns: The values.
    /// - Throws: `CancellationError`; `BridgeFault` if the callback was dropped; ``CoroutineError/outsideCoroutine``. A
    ///   second call of the callback is not an error.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use withCallback in async code")
    @preconcurrency
    public static func `await`<
        First: Sendable,
        Second: Sendable,
        Third: Sendable,
        Fourth: Sendable
    >(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: (@escaping @Sendable (First, Second, Third, Fourth) -> Void) -> Void
    ) throws -> (First, Second, Third, Fourth) {
        try self.await(of: (First, Second, Third, Fourth).self, fileID: fileID, line: line) { callback in
            start { callback.resume(returning: ($0, $1, $2, $3)) }
        }
    }

    /// Waits for an API that calls back with five values.
    ///
    /// Cancellation and isolation are those of ``await(of:timeout:onUndelivered:fileID:line:_:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work with the callback.
    /// - Returns: The values.
    /// - Throws: `CancellationError`; `BridgeFault` if the callback was dropped; ``CoroutineError/outsideCoroutine``. A
    ///   second call of the callback is not an error.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use withCallback in async code")
    @preconcurrency
    public static func `await`<
        First: Sendable,
        Second: Sendable,
        Third: Sendable,
        Fourth: Sendable,
        Fifth: Sendable
    >(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: (@escaping @Sendable (First, Second, Third, Fourth, Fifth) -> Void) -> Void
    ) throws -> (First, Second, Third, Fourth, Fifth) {
        try self.await(of: (First, Second, Third, Fourth, Fifth).self, fileID: fileID, line: line) { callback in
            start { callback.resume(returning: ($0, $1, $2, $3, $4)) }
        }
    }

    /// Waits for an API that calls back with six values.
    ///
    /// Cancellation and isolation are those of ``await(of:timeout:onUndelivered:fileID:line:_:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work with the callback.
    /// - Returns: The values.
    /// - Throws: `CancellationError`; `BridgeFault` if the callback was dropped; ``CoroutineError/outsideCoroutine``. A
    ///   second call of the callback is not an error.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use withCallback in async code")
    @preconcurrency
    public static func `await`<
        First: Sendable,
        Second: Sendable,
        Third: Sendable,
        Fourth: Sendable,
        Fifth: Sendable,
        Sixth: Sendable
    >(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: (@escaping @Sendable (First, Second, Third, Fourth, Fifth, Sixth) -> Void) -> Void
    ) throws -> (First, Second, Third, Fourth, Fifth, Sixth) {
        try self.await(of: (First, Second, Third, Fourth, Fifth, Sixth).self, fileID: fileID, line: line) { callback in
            start { callback.resume(returning: ($0, $1, $2, $3, $4, $5)) }
        }
    }

    /// Waits for an API that calls back with seven or more values.
    ///
    /// Those after the seventh must be neither tuples, nor `Void`, nor closures: the compiler (6.3.1) crashes.
    ///
    /// Pass the callback on as it is: `{ api.fetch($0) }`. If a closure calls it instead, the compiler cannot infer the
    /// number of values, so write its type.
    ///
    /// Cancellation and isolation are those of ``await(of:timeout:onUndelivered:fileID:line:_:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work with the callback.
    /// - Returns: The values.
    /// - Throws: `CancellationError`; `BridgeFault` if the callback was dropped; ``CoroutineError/outsideCoroutine``. A
    ///   second call of the callback is not an error.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use withCallback in async code")
    @preconcurrency
    public static func `await`<
        First: Sendable,
        Second: Sendable,
        Third: Sendable,
        Fourth: Sendable,
        Fifth: Sendable,
        Sixth: Sendable,
        Seventh: Sendable,
        each Other: Sendable
    >(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: (@escaping @Sendable (First, Second, Third, Fourth, Fifth, Sixth, Seventh, repeat each Other) -> Void)
            -> Void
    ) throws -> (First, Second, Third, Fourth, Fifth, Sixth, Seventh, repeat each Other) {
        try self.await(
            of: (First, Second, Third, Fourth, Fifth, Sixth, Seventh, repeat each Other).self,
            fileID: fileID,
            line: line
        ) { callback in
            start {
                (a: First, b: Second, c: Third, d: Fourth, e: Fifth, f: Sixth, g: Seventh, other: repeat each Other) in
                callback.resume(returning: (a, b, c, d, e, f, g, repeat each other))
            }
        }
    }
}
