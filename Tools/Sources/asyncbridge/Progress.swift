// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// A line on a terminal that says how far the work is.
final class Progress: Sendable {
    private let isShown: Bool
    private let done = Mutex(0)

    init(isShown: Bool) { self.isShown = isShown }

    func advance(of total: Int) {
        guard isShown else { return }
        done.withLock { done in
            done += 1
            if done % 32 == 0 { StandardError.write("\r\(100 * done / max(1, total)) %") }
        }
    }

    /// Takes the line away.
    func end() {
        guard isShown else { return }
        done.withLock { done in
            done = 0
            StandardError.write("\r      \r")
        }
    }
}
