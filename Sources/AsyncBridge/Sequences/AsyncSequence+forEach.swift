// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Calls a handler for each element, and another one at the end: for callers that do not use async/await.
    ///
    /// One task iterates and calls the handlers one after the other, so order is kept, and a slow handler slows the
    /// sequence down.
    ///
    /// ```swift
    /// let handle = locations.forEach { location in
    ///     map.show(location)
    /// } onCompletion: { result in
    ///     map.hidePointer()
    /// }
    /// ```
    ///
    /// ## Cancellation
    /// ``CallHandle/cancel()`` cancels the iteration. The completion is called once on every path, with
    /// `CancellationError` if the sequence ended because it was cancelled. No element is delivered after it.
    ///
    /// ## Isolation
    /// The handlers run where they were written: on the caller's actor, if there is one. The iteration runs on no actor.
    /// Task-locals and priority of the caller are inherited.
    ///
    /// - Parameters:
    ///   - priority: The priority of the iteration; `nil` takes the caller's.
    ///   - onElement: Gets each element.
    ///   - onCompletion: Told of the end: success, the sequence's error, or `CancellationError`.
    /// - Returns: A handle to cancel with. Letting go of it does not cancel.
    /// - Complexity: O(1) beside the sequence's own; starts one task.
    @discardableResult
    public func forEach(
        priority: TaskPriority? = nil,
        @_inheritActorContext onElement: @escaping @Sendable @isolated(any) (Element) -> Void,
        @_inheritActorContext onCompletion: @escaping @Sendable @isolated(any) (Result<Void, any Error>) -> Void
    ) -> CallHandle {
        CallHandle(
            Task(priority: priority) {
                do {
                    for try await element in self {
                        // A handle may be cancelled by the handler itself.
                        try Task.checkCancellation()
                        await onElement(element)
                    }
                    // A sequence without an error of its own ends quietly when it is cancelled.
                    try Task.checkCancellation()
                } catch {
                    await onCompletion(.failure(error))
                    return
                }
                await onCompletion(.success(()))
            }
        )
    }
}
