// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ContactsModel
package import OpenCombineShim

extension ContactsAPI {
    /// The contacts, for clients that use Combine.
    package func fetchContacts() -> AnyPublisher<[Contact], any Error> {
        Deferred { Future(self.fetchContacts) }.eraseToAnyPublisher()
    }
}
