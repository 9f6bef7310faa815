// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ContactsModel

/// A client with completion handlers: imports and exports.
package final class AddressBook {
    private let api: any ContactsAPI
    private let loader: any UsersNamesLoader

    package init(api: any ContactsAPI, loader: any UsersNamesLoader) {
        self.api = api
        self.loader = loader
    }

    /// Saves contacts, all or none, and tells who is there then.
    package func importContacts(
        _ contacts: [Contact],
        completion: @escaping (Result<ImportReport, any Error>) -> Void
    ) {
        self.api.saveContacts(contacts) { result in
            switch result {
            case .failure(let error):
                completion(.failure(error))
            case .success(let saved):
                self.loader.load { result in
                    completion(result.map { names in ImportReport(saved: saved, names: names) })
                }
            }
        }
    }

    /// Writes all contacts as a file.
    package func exportContacts(completion: @escaping (Result<[UInt8], any Error>) -> Void) {
        self.api.fetchContacts { result in
            completion(result.map(Contact.write))
        }
    }
}
