// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
package import ContactsModel
import Dispatch

// For callers with completion handlers: as before, once for each call and on their queue.
extension DatabaseContacts {
    @preconcurrency
    package func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
        callAsync(deliver: .through { self.queue.async(execute: $0) }) {
            try await self.fetchContacts()
        } completion: {
            completion($0)
        }
    }

    @preconcurrency
    package func saveContacts(
        _ contacts: [Contact],
        _ completion: @escaping @Sendable (Result<SaveReport, any Error>) -> Void
    ) {
        // Each call is a task, and tasks start in any order. Saves were in order.
        callAsync(in: self.saves, deliver: .through { self.queue.async(execute: $0) }) {
            try await self.saveContacts(contacts)
        } completion: {
            completion($0)
        }
    }
}
