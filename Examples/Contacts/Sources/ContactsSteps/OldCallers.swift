// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ContactsModel
package import OpenCombineShim

/// The API as callers know it who have not moved.
package protocol OldCallers: Sendable {
    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void)
    func saveContacts(_ contacts: [Contact], _ completion: @escaping @Sendable (Result<SaveReport, any Error>) -> Void)
    func loadNames(_ completion: @escaping @Sendable (Result<[String], any Error>) -> Void)
    func contactsPublisher() -> AnyPublisher<[Contact], any Error>
}
