// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Calls a handler for each element, and another one at the end: for callers that do not use async/await.
    ///
    /// One task iterates and calls the handlers one after another, so order is kept, and a slow handler slows the
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
    /// ``CallHandle/cancel()`` cancels the iteration. An element that the sequence has already handed out is still
    /// handled, but no later one. On every path the completion is called once, after all elements, with
    /// `CancellationError` if the sequence ended because it was cancelled. If a ``CallbackSequence`` had ended before
    /// that, and all its elements were handled, the completion gets its own end. For other sequences, a `nil` in a
    /// cancelled task counts as cancelled, since its meaning is not known.
    ///
    /// ## Isolation
    /// The handlers run where they were written: on the caller's actor, if there is one. The iteration runs on no
    /// actor, and inherits the caller's task-locals and priority.
    ///
    /// - Parameters:
    ///   - priority: The priority of the iteration; `nil` takes the caller's.
    ///   - onElement: Gets each element.
    ///   - onCompletion: Gets the end: success, the sequence's error, or `CancellationError`.
    /// - Returns: A handle to cancel with. Dropping it does not cancel.
    /// - Complexity: O(1), plus the sequence's own cost; starts one task.
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

/// The next element for `forEach`; a cancelled task takes no more, and an end caused by the cancellation is thrown.
private func nextUnlessCancelled<Iterator: AsyncIteratorProtocol>(
    _ iterator: inout Iterator
) async throws -> Iterator.Element? {
    // Checked before an element is taken: a taken element is handled. Our own iterators check this themselves.
    if !(iterator is any CancellationTellingIterator) { try Task.checkCancellation() }
    if let element = try await iterator.next(isolation: nil) { return element }
    // A sequence without an error of its own ends quietly when it is cancelled.
    let isCancelled = (iterator as? any CancellationTellingIterator)?.wasCancelled ?? Task.isCancelled
    if isCancelled { throw CancellationError() }
    return nil
}
