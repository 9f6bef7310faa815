// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// What is collected by several threads, in the order in which it came.
package final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    package init() {}

    package func append(_ element: Element) { self.elements.withLock { $0.append(element) } }

    package var all: [Element] { self.elements.withLock { $0 } }

    /// Drops all, outside the lock.
    package func removeAll() {
        // Without an extended lifetime the optimiser drops them under the lock.
        withExtendedLifetime(self.elements.withLock { elements in exchange(&elements, with: []) }) {}
    }
}
