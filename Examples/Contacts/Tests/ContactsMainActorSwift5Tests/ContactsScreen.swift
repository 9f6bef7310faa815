// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Contacts4SendableHandlers
import ContactsModel
import Dispatch

/// A caller on the main actor, written for step 1: its completion handlers change the state of the screen.
///
/// It calls every function with a completion handler.
@MainActor
final class ContactsScreen {
    private let api: DatabaseContacts
    private let loader: DatabaseNamesLoader
    private let finish: () -> Void
    private(set) var answers: [String] = []
    private static let key = DispatchSpecificKey<Bool>()

    init(api: DatabaseContacts, loader: DatabaseNamesLoader, finish: @escaping () -> Void) {
        self.api = api
        self.loader = loader
        self.finish = finish
        DispatchQueue.main.setSpecific(key: Self.key, value: true)
    }

    /// Makes one call of each kind.
    func callAll() {
        self.api.fetchContacts { self.add("contacts", $0.map(\.count)) }
        self.api.saveContacts([]) { self.add("saved", $0.map(\.added)) }
        self.loader.load { self.add("names", $0.map(\.count)) }

        let (api, loader): (any ContactsAPI, any UsersNamesLoader) = (self.api, self.loader)
        api.fetchContacts { self.add("contacts, protocol", $0.map(\.count)) }
        api.saveContacts([]) { self.add("saved, protocol", $0.map(\.added)) }
        loader.load { self.add("names, protocol", $0.map(\.count)) }

        let book = AddressBook(api: api, loader: loader)
        book.importContacts([]) { self.add("import", $0.map(\.names.count)) }
        book.exportContacts { self.add("export", $0.map { $0.isEmpty ? 0 : 1 }) }
    }

    private func add(_ call: String, _ result: Result<Int, any Error>) {
        let place = DispatchQueue.getSpecific(key: Self.key) == true ? "" : ", elsewhere"
        self.answers.append("\(call): \((try? result.get()) ?? -1)\(place)")
        if self.answers.count == 8 { self.finish() }
    }
}
