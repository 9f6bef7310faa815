// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Foundation
import Synchronization

/// What operations of tests wait for, until the test opens it.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [Callback<Void, any Error>] = []
    }

    private let state = Mutex(State())
    private let arrivals = EventLog()

    /// Waits until the gate is open; when cancelled, no longer.
    func pass() async throws {
        try await withCallback(of: Void.self) { callback in
            let isOpen = self.state.withLock { state in
                if !state.isOpen { state.waiters.append(callback) }
                return state.isOpen
            }
            if isOpen { callback.resume() }
            self.arrivals.record("arrival")
        }
    }

    /// Waits until the gate is open, cancelled or not.
    func passUncancelled() async {
        await Task { try? await self.pass() }.value
    }

    /// Lets everybody pass, now and later.
    func open() {
        let waiters = self.state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until so many have ever come.
    func arrivals(atLeast count: Int) async throws { try await self.arrivals.events(atLeast: count) }
}

extension CoroutineHandle {
    /// Waits for the end of the coroutine: the tests' own word.
    func ended() async { await self.finished() }
}

/// Runs a closure on a thread that belongs to nobody else.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
