// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Contacts4SendableHandlers
import ContactsModel
import Dispatch

/// A caller from before Swift 6, with state that a queue protects and nobody declares.
final class OldClient {
    private let api: any ContactsAPI
    private let loader: any UsersNamesLoader
    private let finish: ([String]) -> Void
    private var answers: [String] = []

    init(api: any ContactsAPI, loader: any UsersNamesLoader, finish: @escaping ([String]) -> Void) {
        self.api = api
        self.loader = loader
        self.finish = finish
    }

    /// Makes one call of each kind.
    func callAll() {
        self.api.fetchContacts { self.add("contacts", $0.map(\.count)) }
        self.api.saveContacts([]) { self.add("saved", $0.map(\.added)) }
        self.loader.load { self.add("names", $0.map(\.count)) }
        let book = AddressBook(api: self.api, loader: self.loader)
        book.importContacts([]) { self.add("import", $0.map(\.names.count)) }
        // A handler that is kept has its old type.
        let completion: (Result<[UInt8], any Error>) -> Void = { self.add("export", $0.map(\.count)) }
        book.exportContacts(completion: completion)
    }

    private func add(_ call: String, _ result: Result<Int, any Error>) {
        self.answers.append("\(call): \((try? result.get()) ?? -1)")
        if self.answers.count == 5 { self.finish(self.answers) }
    }
}

/// A caller's own implementation of both protocols, as tests have them: a class with state, and with the old types.
class RememberedContacts: ContactsAPI, UsersNamesLoader {
    let queue: DispatchQueue
    private var contacts: [Contact]

    init(_ contacts: [Contact], queue: DispatchQueue) {
        self.contacts = contacts
        self.queue = queue
    }

    func fetchContacts(_ completion: @escaping (Result<[Contact], any Error>) -> Void) {
        self.queue.async { completion(.success(self.contacts)) }
    }

    func saveContacts(_ contacts: [Contact], _ completion: @escaping (Result<SaveReport, any Error>) -> Void) {
        self.queue.async {
            self.contacts += contacts
            completion(.success(SaveReport(added: contacts.count)))
        }
    }

    func load(completion: @escaping (Result<[String], any Error>) -> Void) {
        self.queue.async { completion(.success(self.contacts.map(\.name))) }
    }
}
