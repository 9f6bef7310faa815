// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// A gate for threads, which stays open once it is.
final class Gate: Sendable {
    private let condition = NSCondition()
    // Safe: used under the condition's lock only.
    private nonisolated(unsafe) var isOpen = false

    func open() {
        self.condition.lock()
        self.isOpen = true
        self.condition.broadcast()
        self.condition.unlock()
    }

    func wait() {
        self.condition.lock()
        while !self.isOpen { self.condition.wait() }
        self.condition.unlock()
    }
}
