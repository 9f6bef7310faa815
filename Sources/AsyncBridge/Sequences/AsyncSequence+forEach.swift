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
    /// ``CallHandle/cancel()`` cancels the iteration. An element that the sequence has given away by then is still
    /// handled, and nothing after it. The completion is called once on every path and last, with `CancellationError` if
    /// the sequence ended because it was cancelled. If a ``CallbackSequence`` had ended before that, and all its
    /// elements were handled, the completion gets its own end. What other sequences mean by a `nil` in a cancelled task
    /// nobody can tell; it counts as cancelled.
    ///
    /// ## Isolation
    /// The handlers run where they were written: on the caller's actor, if there is one. The iteration runs on no
    /// actor. Task-locals and priority of the caller are inherited.
    ///
    /// - Parameters:
    ///   - priority: The priority of the iteration; `nil` takes the caller's.
    ///   - onElement: Gets each element.
    ///   - onCompletion: Told of the end: success, the sequence's error, or `CancellationError`.
    /// - Returns: A handle to cancel with. Dropping it does not cancel.
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
                    var iterator = self.makeAsyncIterator()
                    while let element = try await nextUnlessCancelled(&iterator) { await onElement(element) }
                } catch {
                    await onCompletion(.failure(error))
                    return
                }
                await onCompletion(.success(()))
            }
        )
    }
}

/// The next element for `forEach`; in a cancelled task none is taken any more, and an end that it caused is thrown.
private func nextUnlessCancelled<Iterator: AsyncIteratorProtocol>(
    _ iterator: inout Iterator
) async throws -> Iterator.Element? {
    // Asked before an element is taken: one that was taken is handled. An iterator of ours asks by itself.
    if !(iterator is any CancellationTellingIterator) { try Task.checkCancellation() }
    if let element = try await iterator.next(isolation: nil) { return element }
    // A sequence without an error of its own ends quietly when it is cancelled.
    let isCancelled = (iterator as? any CancellationTellingIterator)?.wasCancelled ?? Task.isCancelled
    if isCancelled { throw CancellationError() }
    return nil
}
