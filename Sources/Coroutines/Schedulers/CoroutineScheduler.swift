// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Where coroutines run that belong to no task: anything that can run a closure later.
///
/// ```swift
/// final class WorkList: CoroutineScheduler, Sendable {
///     private let queue = DispatchQueue(label: "work")
///
///     func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.queue.async(execute: task) }
/// }
/// ```
public protocol CoroutineScheduler {
    /// Runs a closure, once, on a thread of the scheduler's.
    ///
    /// It may run before this function returns, but then it runs on the caller's stack. A scheduler that shuts down lets go
    /// of the closures that it has not run: their coroutines are unwound, on the thread that let go of them.
    ///
    /// - Parameter task: The closure.
    @preconcurrency
    func scheduleTask(_ task: @escaping @Sendable () -> Void)
}

extension CoroutineScheduler {
    /// Starts a coroutine here, which resumes here after each wait.
    ///
    /// ```swift
    /// DispatchQueue.global().startCoroutine {
    ///     let quote = try Coroutine.await { try await client.quote(id: id) }
    ///     try DispatchQueue.main.await { print(quote) }
    /// }
    /// ```
    ///
    /// ## Cancellation
    /// `cancel()` of what is returned makes the pending or the next wait throw `CancellationError`, and cancels the task of
    /// the operation that the coroutine waits for.
    ///
    /// ## Isolation
    /// That of the scheduler. Each `Coroutine.await` of an operation has a task of its own, with the priority of the task
    /// that started the coroutine.
    ///
    /// - Parameters:
    ///   - stackSize: How much address space the code's stack reserves.
    ///   - name: What lists of coroutines call it.
    ///   - onError: Gets what the code throws, and ``CoroutineError/outOfMemory(errno:)``; without it that is reported to
    ///     ``UncaughtErrors``. The error of a cancelled coroutine is no report.
    ///   - fileID: The caller's file, for errors and reports.
    ///   - line: The caller's line, for errors and reports.
    ///   - task: The code.
    /// - Returns: A handle; letting go of it changes nothing.
    /// - Complexity: O(1).
    @preconcurrency
    @discardableResult
    public func startCoroutine(
        stackSize: StackSize = .standard,
        name: StaticString? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        task: @escaping @Sendable () throws -> Void
    ) -> CoroutineHandle {
        let coroutine = ScheduledCoroutine(
            on: self,
            stackSize: stackSize,
            started: CallSite(fileID: fileID, line: line),
            onError: onError,
            task
        )
        coroutine.schedule()
        return CoroutineHandle(coroutine: coroutine)
    }

    /// Runs a closure here, and comes back.
    ///
    /// ## Cancellation
    /// In a cancelled coroutine the closure is not run. Once it is scheduled, the coroutine waits for it.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for errors and reports.
    ///   - line: The caller's line, for errors and reports.
    ///   - task: The closure.
    /// - Returns: What it returns.
    /// - Throws: What it throws; `CancellationError`; `BridgeFault` if the scheduler dropped it;
    ///   ``CoroutineError/outsideCoroutine``.
    @available(*, noasync, message: "Use a task executor or an actor in async code")
    @preconcurrency
    public func await<Value>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ task: @Sendable () throws -> sending Value
    ) throws -> sending Value {
        let coroutine = try RunningCoroutine.toSuspend()
        return try withoutActuallyEscaping(task) { task throws -> Disconnected<Value> in
            let start = CallbackExchange<Value, any Error>.begin(fileID, line, nil) { callback in
                self.scheduleTask {
                    do { callback.resume(returning: try task()) } catch { callback.resume(throwing: error) }
                }
            }
            switch start {
            case .answered(let result):
                return Disconnected(unchecked: try result.take().get())
            case .late(let answerers, _):
                return Disconnected(
                    unchecked: try coroutine.perform {
                        // Cooperative: the closure is the caller's, and must have ended when this function returns.
                        try await CallbackExchange<Value, any Error>.finish(
                            answerers,
                            .cooperative,
                            nil,
                            bridge: "CoroutineScheduler.await",
                            cancel: {}
                        ).untyped()
                    }
                )
            }
        }.take()
    }
}

/// A coroutine on a scheduler, seen from outside.
public struct CoroutineHandle: Sendable {
    let coroutine: ScheduledCoroutine

    /// Makes the pending or the next wait throw `CancellationError`.
    ///
    /// - Complexity: O(1).
    public func cancel() { self.coroutine.cancel() }

    /// Whether it was cancelled.
    public var isCancelled: Bool { self.coroutine.isCancelled }
}
