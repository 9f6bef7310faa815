// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// Where a publisher's task runs, and with it the subscriber's `receive`.
@usableFromInline
struct PumpContext: Sendable {
    let isolation: (any Actor)?
    let executor: (any TaskExecutor)?
    let priority: TaskPriority?

    @usableFromInline
    init(isolation: (any Actor)?, executor: (any TaskExecutor)?, priority: TaskPriority?) {
        self.isolation = isolation
        self.executor = executor
        self.priority = priority
    }

    /// Starts a task there.
    @usableFromInline
    func run(_ body: @escaping @Sendable (isolated (any Actor)?) async -> Void) -> Task<Void, Never> {
        let isolation = self.isolation
        if isolation !== MainActor.shared { SubscriberOfMainActor.explain }
        return Task(executorPreference: self.executor, priority: self.priority) { await body(isolation) }
    }
}
#endif
