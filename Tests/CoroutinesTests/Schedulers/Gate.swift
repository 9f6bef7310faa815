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
    /// Waits for the end of the coroutine.
    func ended() async {
        await withCheckedContinuation { continuation in self.whenComplete { continuation.resume() } }
    }
}

/// Runs a closure on a thread that belongs to nobody else.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

/// An error of the tests' own.
struct Failure: Error, Equatable {
    let number: Int

    init(_ number: Int = 1) { self.number = number }
}

/// Says something when it goes away.
final class LastWord: Sendable {
    private let say: @Sendable () -> Void

    init(_ say: @escaping @Sendable () -> Void) { self.say = say }

    deinit { self.say() }
}

/// What is collected by several threads, in the order in which it came.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    func append(_ element: Element) { self.elements.withLock { $0.append(element) } }

    var all: [Element] { self.elements.withLock { $0 } }

    /// Drops all, outside the lock.
    func removeAll() {
        // Without an extended lifetime the optimiser drops them under the lock.
        withExtendedLifetime(self.elements.withLock { elements in exchange(&elements, with: []) }) {}
    }
}
