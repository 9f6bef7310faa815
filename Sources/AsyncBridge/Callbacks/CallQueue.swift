// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The order of calls that change something: each starts when the one before it has ended.
///
/// For `callAsync(in:)`, where the old API did its work in order, on its own queue. Without it each call is a task,
/// and tasks start in any order.
///
/// ```swift
/// final class Drafts: Sendable {
///     private let saves = CallQueue()
///
///     func save(_ draft: Draft, completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
///         callAsync(in: self.saves) {
///             try await self.save(draft)
///         } completion: {
///             completion($0)
///         }
///     }
///
///     func save(_ draft: Draft) async throws { try await disk.write(draft) }
/// }
/// ```
///
/// Copies are one queue. A call keeps the queue alive until it has ended.
///
/// ## One after the other
/// A call has its place in line when `callAsync` returns. Its operation starts when the completion of the call before
/// has returned. So completions are called in order too, except those of calls that were cancelled in line.
///
/// ## Cancellation
/// A call that is cancelled in line leaves it at once, and its completion gets `CancellationError` without waiting for
/// the calls before it. Like every completion it is called by the call's task, so when its actor, or a thread of
/// Swift's pool, is free. The calls behind it keep their places: they still wait for those before it. A call that is
/// cancelled while it runs ends as its operation does.
///
/// ## Isolation
/// Any thread may make calls. A call that waits for its turn occupies neither an actor nor a thread. An operation may
/// add calls to its own queue, but must not wait for them: they come after it, so it would wait for itself.
public struct CallQueue: Sendable {
    let storage = CallQueueStorage()

    /// Makes a queue without calls.
    ///
    /// - Complexity: O(1).
    public init() {}
}
