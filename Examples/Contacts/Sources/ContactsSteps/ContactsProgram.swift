// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import ContactsModel

/// What the program can do, in whichever step it is written.
///
/// The command and the tests see every step through this.
public protocol ContactsProgram: Sendable {
    /// Saves contacts, all or none.
    ///
    /// Not interrupted by cancellation where the step cannot undo it.
    func importContacts(_ contacts: [Contact]) async throws -> ImportReport

    /// All contacts, as a file.
    func exportContacts() async throws -> [UInt8]

    /// The contacts in which a text is.
    func search(_ text: String) async throws -> [Contact]

    /// All names.
    func names() async throws -> [String]

    /// All contacts.
    func fetchContacts() async throws -> [Contact]
}
