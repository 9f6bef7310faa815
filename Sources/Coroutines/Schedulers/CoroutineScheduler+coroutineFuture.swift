// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension CoroutineScheduler {
    /// Starts a coroutine here, and makes a future of its result.
    ///
    /// ```swift
    /// let sum = DispatchQueue.global().coroutineFuture { try first.await() + second.await() }
    /// ```
    ///
    /// ## Cancellation
    /// Cancelling the future cancels the coroutine. If the scheduler drops the coroutine, the future is cancelled.
    ///
    /// ## Isolation
    /// That of ``startCoroutine(in:stackSize:name:onError:fileID:line:task:)``; observers of the future run where the
    /// coroutine ends.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - task: The code.
    /// - Returns: The future; it fails with the code's error, or ``CoroutineError/outOfMemory(errno:)``.
    /// - Complexity: O(1), and the cost of `scheduleTask`.
    @preconcurrency
    public func coroutineFuture<Value: Sendable>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ task: @escaping @Sendable () throws -> Value
    ) -> CoFuture<Value> {
        let future = CoFuture<Value>()
        future.run(task, on: self, fileID, line)
        return future
    }
}

extension CoFuture {
    /// Starts a coroutine at once, on this thread, and makes a future of its result.
    ///
    /// After a wait the code continues on the thread that ended the wait: see ``ImmediateScheduler``. To choose where
    /// it runs, write `scheduler.coroutineFuture { … }`.
    ///
    /// ## Cancellation
    /// Cancelling the future cancels the coroutine.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - task: The code.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        task: @escaping @Sendable () throws -> Value
    ) {
        self.init()
        self.run(task, on: ImmediateScheduler(), fileID, line)
    }

    /// Starts a coroutine whose result is this future's.
    func run(
        _ task: @escaping @Sendable () throws -> Value,
        on scheduler: some CoroutineScheduler,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        let coroutine = scheduler.startCoroutine(onError: { self.settle(failure: $0) }, fileID: fileID, line: line) {
            self.settle(try task())
        }
        if self.isSettled { return }
        // If it was abandoned, or cancelled before it began, the code has settled nothing.
        coroutine.whenComplete { self.settle(failure: CancellationError()) }
        self.whenCancelled { coroutine.cancel() }
    }
}
