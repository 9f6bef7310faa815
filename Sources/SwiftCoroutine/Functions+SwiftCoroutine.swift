// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeFutures
public import Coroutines
public import Dispatch

// SwiftCoroutine's functions that are used as values, as in `let inBackground =
// DispatchQueue.global().coroutineFuture`: a function used like that has no default arguments, and its type says what
// it returns. Ordinary calls use the other forms, which know the call's location.

extension Coroutine {
    /// Starts a coroutine at once, on this thread.
    ///
    /// The form for `let start = Coroutine.start`; see ``start(onError:fileID:line:_:)``.
    ///
    /// - Parameter task: The code; its error goes to `BridgeDiagnostics.uncaughtErrorHandler`.
    /// - Complexity: O(1).
    @preconcurrency
    @_disfavoredOverload
    public static func start(_ task: @escaping @Sendable () throws -> Void) {
        self.start(onError: nil, task)
    }

    /// Waits for an interval.
    ///
    /// The form for `let delay = Coroutine.delay`; see ``delay(_:clock:fileID:line:)``.
    ///
    /// - Parameter interval: How long; `.never` waits until the coroutine is cancelled.
    /// - Throws: `CancellationError`; ``CoroutineError/outsideCoroutine``.
    @available(*, noasync, message: "Write `try await Task.sleep(for:)` in async code")
    @_disfavoredOverload
    public static func delay(_ interval: DispatchTimeInterval) throws {
        try self.delay(interval, fileID: #fileID, line: #line)
    }
}

extension CoroutineScheduler {
    /// Starts a coroutine here.
    ///
    /// The form for `let start = queue.startCoroutine`; see
    /// ``startCoroutine(in:stackSize:name:onError:fileID:line:task:)``.
    ///
    /// - Parameters:
    ///   - scope: Cancels the coroutine when the scope is cancelled or released.
    ///   - task: The code; its error goes to `BridgeDiagnostics.uncaughtErrorHandler`.
    /// - Complexity: O(1), and the cost of `scheduleTask`.
    @preconcurrency
    @_disfavoredOverload
    public func startCoroutine(in scope: CoScope?, task: @escaping @Sendable () throws -> Void) {
        self.startCoroutine(in: scope, stackSize: .standard, task: task)
    }

    /// Starts a coroutine here.
    ///
    /// The form for `let start = queue.startCoroutine(task:)`; see
    /// ``startCoroutine(in:stackSize:name:onError:fileID:line:task:)``.
    ///
    /// - Parameter task: The code; its error goes to `BridgeDiagnostics.uncaughtErrorHandler`.
    /// - Complexity: O(1), and the cost of `scheduleTask`.
    @preconcurrency
    @_disfavoredOverload
    public func startCoroutine(task: @escaping @Sendable () throws -> Void) {
        self.startCoroutine(in: nil, stackSize: .standard, task: task)
    }

    /// Starts a coroutine here, and makes a future of its result.
    ///
    /// The form for `let future = queue.coroutineFuture`; see ``coroutineFuture(fileID:line:_:)``.
    ///
    /// - Parameter task: The code.
    /// - Returns: The future; it fails with the code's error, or ``CoroutineError/outOfMemory(errno:)``.
    /// - Complexity: O(1), and the cost of `scheduleTask`.
    @preconcurrency
    @_disfavoredOverload
    public func coroutineFuture<Value: Sendable>(_ task: @escaping @Sendable () throws -> Value) -> CoFuture<Value> {
        self.coroutineFuture(fileID: #fileID, line: #line, task)
    }

    /// Runs a closure here while the coroutine waits, then returns to the coroutine.
    ///
    /// The form for `let onMain = DispatchQueue.main.await`; see the form for closures.
    ///
    /// - Parameter task: The closure.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; `CancellationError`; `BridgeFault` if the scheduler dropped it;
    ///   ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(1), and the cost of `scheduleTask`.
    @available(*, noasync, message: "Use a task executor or an actor in async code")
    @preconcurrency
    @_disfavoredOverload
    public func await<Value: Sendable>(_ task: @Sendable () throws -> Value) throws -> Value {
        try self.await(fileID: #fileID, line: #line) { () throws -> sending Value in try task() }
    }
}

extension CoFuture {
    /// Waits, in a coroutine, until there is a result or the wait times out.
    ///
    /// The form for `let value = future.await(timeout:)`; see ``await(timeout:fileID:line:)``.
    ///
    /// - Parameter timeout: How long to wait; `.never` waits forever.
    /// - Returns: The value.
    /// - Throws: As the form with a clock.
    @available(*, noasync, message: "Write `try await future.value(timeout:)` in async code")
    @_disfavoredOverload
    public final func await(timeout: DispatchTimeInterval) throws -> Value {
        try self.await(timeout: timeout, fileID: #fileID, line: #line)
    }

    /// Makes a future of a callback's result.
    ///
    /// The form for `let make = CoFuture<Int>.init(promise:)`; see ``init(fileID:line:promise:)``.
    ///
    /// - Parameter promise: Starts the work with the callback, in this call.
    /// - Complexity: O(1).
    @preconcurrency
    @_disfavoredOverload
    public convenience init(promise: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void) {
        self.init(fileID: #fileID, line: #line, promise: promise)
    }

    /// Starts a coroutine at once, on this thread, and makes a future of its result.
    ///
    /// The form for `let make = CoFuture<Int>.init(task:)`; see ``init(fileID:line:task:)``.
    ///
    /// - Parameter task: The code.
    /// - Complexity: O(1).
    @preconcurrency
    @_disfavoredOverload
    public convenience init(task: @escaping @Sendable () throws -> Value) {
        self.init(fileID: #fileID, line: #line, task: task)
    }
}
