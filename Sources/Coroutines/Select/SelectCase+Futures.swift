// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

extension FutureWaiters: SelectPlace {
    func whileLocked(_ body: () -> Void) {
        // Safe: the address is forgotten before the lock is left.
        unsafe self.state.withPointer { state in
            unsafe self.locked = state
            body()
            unsafe self.locked = nil
        }
    }

    /// Whether there is a result, while ``whileLocked(_:)`` runs.
    var isOverLocked: Bool {
        guard let state = unsafe self.locked else { preconditionFailure("BUG: a future is not locked") }
        return unsafe state.pointee.isOver
    }

    /// Enlists a party that has begun to wait, while ``whileLocked(_:)`` runs.
    func enlistLocked(_ waiter: WaiterReference) {
        guard let state = unsafe self.locked else { preconditionFailure("BUG: a future is not locked") }
        unsafe state.pointee.queue.append(waiter)
    }
}

/// Waits for a future.
class FutureCase<Output>: SelectCase<Output> {
    private var waiters: FutureWaiters?
    private var waiter: WaiterReference?

    /// What is waited for, from `prepare` on at the latest.
    var future: AnyCoFuture? { nil }

    override final var place: (any SelectPlace)? { self.waiters }

    override func happensNow() -> Bool { self.future?.isSettled ?? false }

    override func prepare() { self.waiters = self.future?.waiters() }

    // Without a hub there is a result.
    override final func happensLocked(_ duties: inout SelectDuties) -> Bool { self.waiters?.isOverLocked ?? true }

    override final func enlist(_ waiter: WaiterReference) {
        self.waiter = waiter
        self.waiters?.enlistLocked(waiter)
    }

    override final func withdraw() -> Bool {
        guard let waiter = self.waiter else { return false }
        if waiter.outcome == .done { return true }
        self.waiters?.withdraw(waiter)
        return false
    }
}

/// Waits for a future that the user has.
final class ResultCase<Value: Sendable, Output>: FutureCase<Output> {
    private let source: CoFuture<Value>
    private let handler: (Result<Value, any Error>) throws -> Output

    init(of source: CoFuture<Value>, _ handler: @escaping (Result<Value, any Error>) throws -> Output) {
        self.source = source
        self.handler = handler
    }

    override var future: AnyCoFuture? { self.source }

    override func result() throws -> Output { try self.handler(self.source.settledResult) }
}

/// Waits for some time.
final class DelayCase<Output>: FutureCase<Output> {
    private let isOver: Bool
    private let start: () -> CoFuture<Void>
    private let handler: () throws -> Output
    private var timer: CoFuture<Void>?

    init<C: Clock>(_ duration: C.Duration, clock: C, _ handler: @escaping () throws -> Output) {
        self.isOver = duration <= .zero
        self.start = { CoFuture { try await Task.sleep(for: duration, clock: clock) } }
        self.handler = handler
    }

    override var future: AnyCoFuture? { self.timer }

    override func happensNow() -> Bool { self.isOver }

    override func prepare() {
        self.timer = self.start()
        super.prepare()
    }

    override func finish() { self.timer?.cancel() }

    override func result() throws -> Output { try self.handler() }
}

/// Happens if nothing else can.
final class DefaultCase<Output>: SelectCase<Output> {
    private let handler: () throws -> Output

    init(_ handler: @escaping () throws -> Output) { self.handler = handler }

    override var isDefault: Bool { true }

    override func result() throws -> Output { try self.handler() }
}
