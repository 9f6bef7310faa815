// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import Foundation

extension OperationQueue {
    /// Runs a closure on the queue, and waits for its result.
    ///
    /// ```swift
    /// let thumbnail = try await queue.run { image.thumbnail() }
    /// ```
    ///
    /// ## Cancellation
    /// Throws `CancellationError` at once. A closure that has not begun never runs; one that has begun continues, and
    /// its result is dropped.
    ///
    /// ## Isolation
    /// The closure runs on one of the queue's threads.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - body: The closure.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; `CancellationError`, also if the queue's operations are cancelled before it
    ///   begins.
    /// - Complexity: O(1), plus the queue's own cost.
    public nonisolated(nonsending) func run<Value: Sendable>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await awaitCallback("OperationQueue.run", fileID: fileID, line: line) { callback in
            let hasBegun = OnceFlag()
            let operation = BlockOperation {
                hasBegun.set()
                callback.resume(with: Result { try body() })
            }
            operation.completionBlock = { if !hasBegun.isSet { callback.resume(throwing: CancellationError()) } }
            self.addOperation(operation)
            return operation
        } onCancel: { operation in
            operation.cancel()
        }
    }

    /// Adds an operation to the queue, and waits for its end.
    ///
    /// Its own `completionBlock` is called as well, before the call returns.
    ///
    /// ## Cancellation
    /// Cancels the operation. If it has begun, the call waits until it ends, which is soon if it checks `isCancelled`.
    /// If it has not begun, the call ends at once; the operation stays in the queue until its turn, when Foundation
    /// finishes it without running it, and calls its `completionBlock`. One race cannot be avoided: a thread that has
    /// just seen the operation not cancelled still starts it, with `isCancelled` already `true`. An operation with its
    /// own `start()` must check `isCancelled` there, as Foundation demands. In a task already cancelled, the operation
    /// is not added.
    ///
    /// Cancelling the operation itself, or `cancelAllOperations()`, ends the call when the queue reaches the operation:
    /// in a suspended queue, not before the queue is resumed. Cancel the task to end the call at once.
    ///
    /// - Parameters:
    ///   - operation: The operation, which must not be in a queue yet.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: `CancellationError` if the operation was cancelled, by any code.
    /// - Complexity: O(1), plus the queue's own cost.
    public nonisolated(nonsending) func run(
        _ operation: Operation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        // In every case, even if it is not added: the caller may drop it as soon as this throws.
        operation.keepUntilDependenciesEnd()
        let previous = operation.completionBlock
        try await awaitCallback(
            "OperationQueue.run",
            cancellation: .cooperative,
            fileID: fileID,
            line: line
        ) { callback in
            let wait = OperationWait(callback)
            operation.completionBlock = {
                previous?()
                wait.end()
            }
            self.addOperation(operation)
            return OperationWait.Reference(wait)
        } onCancel: { reference in
            // It may depend on more by now.
            operation.keepUntilDependenciesEnd()
            operation.cancel()
            reference.wait?.endUnlessBegun(operation)
        }
        // As Foundation leaves it: on Apple's systems it drops the block when it calls it.
        #if canImport(Darwin)
        operation.completionBlock = nil
        #else
        operation.completionBlock = previous
        #endif
        if operation.isCancelled { throw CancellationError() }
    }
}
