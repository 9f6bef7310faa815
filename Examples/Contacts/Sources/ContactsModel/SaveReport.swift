// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What saving has changed.
public struct SaveReport: Hashable, Sendable {
    /// Contacts that were not there before.
    public var added = 0

    /// Contacts that were there, with another card.
    public var updated = 0

    /// Contacts that were there, with the same card.
    public var unchanged = 0

    /// Makes a report.
    public init(added: Int = 0, updated: Int = 0, unchanged: Int = 0) {
        self.added = added
        self.updated = updated
        self.unchanged = unchanged
    }
}

/// What an import has changed, and whom the address book has now.
public struct ImportReport: Hashable, Sendable {
    /// What saving has changed.
    public var saved: SaveReport

    /// The names of all contacts.
    public var names: [String]

    /// Makes a report.
    public init(saved: SaveReport, names: [String]) {
        self.saved = saved
        self.names = names
    }
}
