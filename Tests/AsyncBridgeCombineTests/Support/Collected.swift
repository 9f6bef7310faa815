// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import Synchronization

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
#endif
