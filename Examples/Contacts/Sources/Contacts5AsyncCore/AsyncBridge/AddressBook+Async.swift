// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Async functions for those of AddressBook.swift that have a completion handler, written by “asyncbridge wrap”.
// A block without the line above it is yours: the tool does not touch it again.

import AsyncBridge
package import ContactsModel

// asyncbridge: AddressBook.importContacts(_:completion:) d7f400b0 proven
extension AddressBook {
    /// Saves contacts, all or none, and tells who is there then.
    ///
    /// - Returns: What ``importContacts(_:completion:)`` calls back with.
    /// - Throws: Its error, `CancellationError`, or `BridgeFault` if it never calls back.
    package func importContacts(_ contacts: [Contact]) async throws -> ImportReport {
        try await AsyncBridge.withCallback(of: ImportReport.self, cancellation: .cooperative) { callback in
            self.importContacts(contacts, completion: callback.handler())
        }
    }
}
// asyncbridge: end

// asyncbridge: AddressBook.exportContacts(completion:) 20d5c7aa proven
extension AddressBook {
    /// Writes all contacts as a file.
    ///
    /// - Returns: What ``exportContacts(completion:)`` calls back with.
    /// - Throws: Its error, `CancellationError`, or `BridgeFault` if it never calls back.
    package func exportContacts() async throws -> [UInt8] {
        try await AsyncBridge.withCallback(of: [UInt8].self) { callback in
            self.exportContacts(completion: callback.handler())
        }
    }
}
// asyncbridge: end
