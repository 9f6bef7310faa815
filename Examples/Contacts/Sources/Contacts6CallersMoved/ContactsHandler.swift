// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ContactsModel

/// A client that awaits: searches.
package final class ContactsHandler: Sendable {
    private let api: any ContactsAPI

    package init(api: any ContactsAPI) { self.api = api }

    /// The contacts in which a text is.
    package func search(_ text: String) async throws -> [Contact] {
        try await self.api.fetchContacts().filter { $0.matches(text) }
    }
}
