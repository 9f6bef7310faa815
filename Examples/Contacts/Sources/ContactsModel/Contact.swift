// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import VCard

/// Someone in the address book.
///
/// Two are equal if their cards have the same bytes: for `String`, an accent in one character equals the same in two.
public struct Contact: Hashable, Identifiable, Sendable {
    /// What tells this contact from others: the card's UID; without one, the card itself.
    ///
    /// A card without a UID is thus another contact as soon as anything in it changes.
    public let id: String

    /// The whole card, with what this program does not know.
    public let card: VCard

    /// Makes a contact of a card.
    public init(_ card: VCard) {
        self.id = card.uid.map { "uid:\($0)" } ?? "card:\(String(decoding: VCard.write([card]), as: UTF8.self))"
        self.card = card
    }

    /// Compares the cards' bytes.
    public static func == (first: Self, second: Self) -> Bool {
        VCard.write([first.card]) == VCard.write([second.card])
    }

    /// Hashes the identifier's bytes.
    public func hash(into hasher: inout Hasher) { for byte in self.id.utf8 { hasher.combine(byte) } }

    /// The name to show.
    public var name: String { self.card.formattedName }

    /// Mail addresses.
    public var emails: [String] { self.card.all("EMAIL").map(\.text) }

    /// Telephone numbers.
    public var phones: [String] {
        self.card.all("TEL").map(\.text).map { $0.hasPrefix("tel:") ? String($0.dropFirst(4)) : $0 }
    }

    /// The company and its departments.
    public var organization: String? { self.card.first("ORG")?.components.joined(separator: ", ") }

    /// Tells whether a text is in the name, an address, a number or the organization; case and accents do not count.
    public func matches(_ text: String) -> Bool {
        let text = SortKey.of(text)
        return ([self.name, self.organization ?? ""] + self.emails + self.phones).contains {
            SortKey.of($0).contains(text)
        }
    }
}
