// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

/// Lets one thread at a time send, however deep it sends inside itself: the order is then known.
final class Turn: Sendable {
    private struct State {
        var thread: ThreadID?
        var depth = 0
    }

    private let state = Mutex(State())

    /// Does something when no other thread does.
    ///
    /// - Parameters:
    ///   - waits: Whether to wait for another thread. If not, nothing is done while there is one.
    ///   - body: Sends something.
    func take(waits: Bool = true, _ body: () -> Void) {
        let thread = ThreadID.current
        while !self.begin(thread) {
            if !waits { return }
            yieldThread()
        }
        body()
        self.state.withLock { state in
            state.depth -= 1
            if state.depth == 0 { state.thread = nil }
        }
    }

    private func begin(_ thread: ThreadID) -> Bool {
        self.state.withLock { state in
            guard state.thread == nil || state.thread == thread else { return false }
            state.thread = thread
            state.depth += 1
            return true
        }
    }
}
#endif
