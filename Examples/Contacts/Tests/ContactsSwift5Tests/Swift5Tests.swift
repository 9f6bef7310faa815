// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import ContactsModel
import Dispatch
import Testing
import VCard

/// What step 4 promises to callers and implementations in Swift 5 mode: they compile without a warning.
///
/// Where warnings are errors, as in `Scripts/test`, this target would not build otherwise.
@Suite(.timeLimit(.minutes(10)))
struct `Callers in Swift 5 mode` {
    @Test func `compile and are served`() async throws {
        let anna = Contact(VCard(properties: [VCard.Property("FN", text: "Anna")]))
        let contacts = RememberedContacts([anna], queue: DispatchQueue(label: "contacts"))
        let answers = try await withCallback(of: [String].self) { callback in
            OldClient(api: contacts, loader: contacts) { callback.resume(returning: $0) }.callAll()
        }
        let length = Contact.write([anna]).count
        #expect(answers.sorted() == ["contacts: 1", "export: \(length)", "import: 1", "names: 1", "saved: 0"])
    }
}
