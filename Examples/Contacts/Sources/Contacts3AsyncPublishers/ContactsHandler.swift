// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ContactsModel
package import OpenCombineShim

/// A client with publishers: searches.
package final class ContactsHandler {
    private let api: any ContactsAPI

    package init(api: any ContactsAPI) { self.api = api }

    /// The contacts in which a text is.
    package func search(_ text: String) -> AnyPublisher<[Contact], any Error> {
        self.api.fetchContacts()
            .map { contacts in contacts.filter { $0.matches(text) } }
            .eraseToAnyPublisher()
    }
}
