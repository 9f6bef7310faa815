// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// Counts what has happened, and lets a test wait until it has happened often enough.
final class Tally: Sendable {
    private struct State {
        var count = 0
        var watchers: [(goal: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var count: Int { self.state.withLock { $0.count } }

    func add() {
        let due = self.state.withLock { state in
            state.count += 1
            let due = state.watchers.filter { $0.goal <= state.count }
            state.watchers.removeAll { $0.goal <= state.count }
            return due.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Returns when it has happened that often.
    func reaches(_ goal: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = self.state.withLock { state in
                if state.count < goal { state.watchers.append((goal, continuation)) }
                return state.count >= goal
            }
            if isThere { continuation.resume() }
        }
    }
}
