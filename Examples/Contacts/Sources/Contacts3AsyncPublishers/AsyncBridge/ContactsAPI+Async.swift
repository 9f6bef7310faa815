// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Async functions for those of ContactsAPI.swift that have a completion handler, written by “asyncbridge wrap”.
// A block without the line above it is yours: the tool does not touch it again.

import AsyncBridge
package import ContactsModel
import Dispatch
import GRDB

// asyncbridge: ContactsAPI.fetchContacts(_:) f455e94f unproven
extension ContactsAPI {
    package func fetchContacts() async throws -> [Contact] {
        try await AsyncBridge.withCallback(of: [Contact].self) { callback in
            self.fetchContacts(callback.handler())
        }
    }
}
// asyncbridge: end

// asyncbridge: ContactsAPI.saveContacts(_:_:) 2e35258b unproven
extension ContactsAPI {
    package func saveContacts(_ contacts: [Contact]) async throws -> SaveReport {
        try await AsyncBridge.withCallback(of: SaveReport.self, cancellation: .cooperative) { callback in
            self.saveContacts(contacts, callback.handler())
        }
    }
}
// asyncbridge: end
