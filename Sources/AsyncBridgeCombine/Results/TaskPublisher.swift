// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import OpenCombineShim

/// A publisher of an async function's result, which runs the function for each subscriber.
///
/// ```swift
/// func fetchContacts() -> AnyPublisher<[Contact], any Error> {
///     TaskPublisher { try await self.fetchContacts() }.eraseToAnyPublisher()
/// }
/// ```
///
/// The function starts when a subscriber comes. Its value is held until the subscriber requests one; an error is sent
/// at once. For one run that all subscribers share, use Combine's `Future` with an async closure.
///
/// ## Cancellation
/// Cancelling the subscription cancels the task, or keeps it from starting, and nothing is sent after that. So does
/// dropping a subscription that has not requested the value.
///
/// ## Isolation
/// The function keeps the isolation of its closure, which is that of the surrounding code. It inherits the task-locals
/// and the priority of the code that subscribes. The subscriber gets the result where the function ended.
public struct TaskPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    private let priority: TaskPriority?
    private let operation: @Sendable @isolated(any) () async throws(Failure) -> Output

    /// Makes a publisher of a function that throws errors of one type.
    ///
    /// - Parameters:
    ///   - failure: The type of the errors.
    ///   - priority: The task's priority; defaults to that of the code that subscribes.
    ///   - operation: The async code, as a function or as a closure with `throws(Failure)` written out.
    public init(
        throwing failure: Failure.Type,
        priority: TaskPriority? = nil,
        @_inheritActorContext operation: @escaping @Sendable @isolated(any) () async throws(Failure) -> Output
    ) {
        self.priority = priority
        self.operation = operation
    }

    /// Gives a subscriber its own subscription, and starts the function for it.
    ///
    /// - Parameter subscriber: The subscriber.
    /// - Complexity: O(1); starts one task.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let storage = ResultStorage(Receiver<Output, Failure>(subscriber))
        subscriber.receive(subscription: ResultSubscription(storage))
        self.start(for: storage)
    }

    private func start(for storage: ResultStorage<Output, Failure>) {
        storage.begin {
            let task = Task(priority: self.priority) {
                await OperationResult.deliver(self.operation, on: self.operation.isolation) { storage.settle($0) }
            }
            return { task.cancel() }
        }
    }
}

extension TaskPublisher where Failure == any Error {
    /// Makes a publisher of a function that throws.
    ///
    /// - Parameters:
    ///   - priority: The task's priority; defaults to that of the code that subscribes.
    ///   - operation: The async code.
    public init(
        priority: TaskPriority? = nil,
        @_inheritActorContext operation: @escaping @Sendable @isolated(any) () async throws -> Output
    ) {
        self.init(throwing: (any Error).self, priority: priority, operation: operation)
    }
}

extension TaskPublisher where Failure == Never {
    /// Makes a publisher of a function that does not throw.
    ///
    /// - Parameters:
    ///   - priority: The task's priority; defaults to that of the code that subscribes.
    ///   - operation: The async code.
    public init(
        priority: TaskPriority? = nil,
        @_inheritActorContext operation: @escaping @Sendable @isolated(any) () async -> Output
    ) {
        self.init(throwing: Never.self, priority: priority, operation: operation)
    }
}
#endif
