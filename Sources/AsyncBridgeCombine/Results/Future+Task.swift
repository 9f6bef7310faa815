// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import OpenCombineShim

extension Future where Output: Sendable, Failure == any Error {
    /// Starts an async function at once, and publishes its result to each subscriber.
    ///
    /// ```swift
    /// let contacts = Future { try await self.fetchContacts() }
    /// ```
    ///
    /// The function runs once, with or without subscribers. To run it once for each subscriber, use ``TaskPublisher``.
    ///
    /// ## Cancellation
    /// Cancelling a subscription does not cancel the function, as with any `Future`: others may wait for it.
    ///
    /// ## Isolation
    /// The function keeps the isolation of its closure. Subscribers get the result where it ended.
    ///
    /// - Parameters:
    ///   - priority: The task's priority; defaults to the caller's.
    ///   - operation: The async code.
    /// - Complexity: O(1); starts one task.
    public convenience init(
        priority: TaskPriority? = nil,
        @_inheritActorContext operation: @escaping @Sendable @isolated(any) () async throws -> Output
    ) {
        self.init { promise in
            let promise = TaskPromise(fulfill: promise)
            Task(priority: priority) {
                await OperationResult.deliver(operation, on: operation.isolation) { promise.fulfill($0) }
            }
        }
    }
}

extension Future where Output: Sendable, Failure == Never {
    /// Starts an async function that does not throw at once, and publishes its result to each subscriber.
    ///
    /// Everything else is as in the form for functions that throw.
    ///
    /// ## Cancellation
    /// Cancelling a subscription does not cancel the function.
    ///
    /// ## Isolation
    /// The function keeps the isolation of its closure. Subscribers get the result where it ended.
    ///
    /// - Parameters:
    ///   - priority: The task's priority; defaults to the caller's.
    ///   - operation: The async code.
    /// - Complexity: O(1); starts one task.
    public convenience init(
        priority: TaskPriority? = nil,
        @_inheritActorContext operation: @escaping @Sendable @isolated(any) () async -> Output
    ) {
        self.init { promise in
            let promise = TaskPromise(fulfill: promise)
            Task(priority: priority) {
                await OperationResult.deliver(operation, on: operation.isolation) { promise.fulfill($0) }
            }
        }
    }
}

/// What fulfils a `Future`.
///
/// Safe: a `Future` takes its result on any thread.
private struct TaskPromise<Output: Sendable, Failure: Error>: @unchecked Sendable {
    let fulfill: (Result<Output, Failure>) -> Void
}
#endif
