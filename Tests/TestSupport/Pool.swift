// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Foundation

/// The threads of Swift's pool for tasks of usual priority, in a process of its own.
package enum Pool {
    /// What a report says of them when they are blocked.
    package static let isNamed = "no task gets a thread of Swift's pool"

    /// Blocks all of them for good.
    package static func block() {
        for priority in [TaskPriority.medium, .high] {
            for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
                Task.detached(priority: priority) { Monitor(false).pass() }
            }
        }
    }

    /// Keeps all of them at work.
    package static func compute(until end: ContinuousClock.Instant) {
        for priority in [TaskPriority.medium, .high] {
            for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
                Task.detached(priority: priority) { while ContinuousClock.now < end {} }
            }
        }
    }
}
