// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// A line on a terminal that says how far the work is.
final class Progress: Sendable {
    private struct State {
        var done = 0
        var shown = 0
    }

    private let isShown: Bool
    private let state = Mutex(State())

    init(isShown: Bool) { self.isShown = isShown }

    func advance(of total: Int) {
        guard isShown else { return }
        state.withLock { state in
            state.done += 1
            let percent = 100 * state.done / max(1, total)
            // A terminal is slow: once for each number.
            guard percent != state.shown else { return }
            state.shown = percent
            StandardError.write("\r\(percent) %")
        }
    }

    /// Takes the line away.
    func end() {
        guard isShown else { return }
        state.withLock { state in
            state = State()
            StandardError.write("\r      \r")
        }
    }
}
