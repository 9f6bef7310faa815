// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension VCard {
    /// How much is read before a file is refused.
    public struct Limits: Sendable {
        /// The number of bytes in a file.
        public var fileBytes = 64 << 20

        /// The number of bytes in a line, once it is unfolded.
        ///
        /// Pictures are in one line.
        public var lineBytes = 8 << 20

        /// The number of cards in a file.
        public var cards = 100_000

        /// The number of properties in a card.
        public var properties = 10_000

        /// The number of parameters of a property, and of values of a parameter.
        public var parameters = 100

        /// Makes the standard limits.
        public init() {}

        /// No limits, for what has passed them before: written, it may be longer.
        public static var none: Self {
            var limits = Self()
            (limits.fileBytes, limits.lineBytes, limits.cards) = (.max, .max, .max)
            (limits.properties, limits.parameters) = (.max, .max)
            return limits
        }
    }

    /// A card, and where it was.
    public struct Located: Sendable {
        /// The card.
        public var card: VCard

        /// The line of its `BEGIN`, counted from 1.
        public var line: Int
    }

    /// Reads a file of cards.
    ///
    /// Cards may have version 2.1, 3.0 or 4.0; those of the old versions become cards of version 4.0, with a name if
    /// they have none. Lines may end with CRLF or LF. The file may be in UTF-8 or UTF-16, and an old card in the
    /// encoding that it names. An empty file has no cards.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - limits: How much is too much.
    /// - Returns: The cards, in their order.
    /// - Throws: ``VCardError``, for the first mistake.
    public static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(VCardError) -> [Located] {
        guard bytes.count <= limits.fileBytes else {
            throw VCardError(line: 1, reason: "The file has more than \(limits.fileBytes) bytes. Split it.")
        }
        var lines = try ContentLines(bytes, limit: limits.lineBytes)
        var cards: [Located] = []
        while let line = try lines.next() {
            guard try PropertyReader.read(line, .four, limits).isMark("BEGIN") else {
                throw VCardError(line: line.number, reason: "'BEGIN:VCARD' is missing.")
            }
            guard cards.count < limits.cards else {
                throw VCardError(
                    line: line.number,
                    reason: "There are more than \(limits.cards) cards. Split the file."
                )
            }
            let card = try Self.readCard(&lines, begin: line.number, limits)
            cards.append(Located(card: card, line: line.number))
        }
        return cards
    }

    /// Reads what follows `BEGIN`, up to and with `END`.
    private static func readCard(
        _ lines: inout ContentLines,
        begin: Int,
        _ limits: Limits
    ) throws(VCardError) -> VCard {
        let version = try Self.readVersion(&lines, begin: begin, limits)
        lines.version = version
        // What stands between cards belongs to none.
        defer { lines.version = .four }
        var card = VCard(properties: [])
        while let line = try lines.next() {
            let property = try PropertyReader.read(line, version, limits)
            if property.isMark("END") {
                if version != .four { card.nameItself() }
                guard card.first("FN") != nil else {
                    throw VCardError(line: begin, reason: "The card has no name. Add a line 'FN:' with it.")
                }
                return card
            }
            // An old card may have its version anywhere.
            if version != .four, property.isNamed("VERSION") { continue }
            for name in ["BEGIN", "END", "VERSION"] where property.isNamed(name) {
                throw VCardError(line: line.number, reason: "'\(name)' is not allowed here. Is 'END:VCARD' missing?")
            }
            guard card.properties.count < limits.properties else {
                throw VCardError(line: line.number, reason: "The card has more than \(limits.properties) properties.")
            }
            card.properties.append(property)
        }
        throw VCardError(line: begin, reason: "The card does not end. Add 'END:VCARD'.")
    }

    /// Reads the version: the line after `BEGIN`, or in an old card any other one.
    private static func readVersion(
        _ lines: inout ContentLines,
        begin: Int,
        _ limits: Limits
    ) throws(VCardError) -> Version {
        let start = lines
        // Not yet: an old line need not be UTF-8.
        lines.version = .three
        guard let line = try lines.next() else {
            throw VCardError(line: begin, reason: "The card does not end. Add 'END:VCARD'.")
        }
        let property = try? PropertyReader.read(line, .three, limits)
        if let property, property.isNamed("VERSION") {
            if let version = Version(rawValue: property.rawValue) { return version }
            throw VCardError(
                line: line.number,
                reason: "The card has version '\(property.rawValue)'. Export it again as vCard 2.1, 3.0 or 4.0."
            )
        }
        lines = start
        guard let version = start.versionBelow().flatMap(Version.init(rawValue:)), version != .four else {
            throw VCardError(line: line.number, reason: "'VERSION:4.0' is missing behind 'BEGIN:VCARD'.")
        }
        return version
    }

    /// Takes the name to show from what else the card says: the old versions do not ask for one.
    private mutating func nameItself() {
        if let name = self.first("FN"), !name.text.isEmpty { return }
        self.properties.removeAll { $0.isNamed("FN") }
        let parts = self.first("N")?.components ?? []
        // Prefix, given and further names, family name, suffix.
        let name = [3, 1, 2, 0, 4].compactMap { parts.indices.contains($0) ? parts[$0] : nil }
            .filter { !$0.isEmpty }.joined(separator: " ")
        let others = [self.first("ORG")?.components.first] + ["NICKNAME", "EMAIL", "TEL"].map { self.first($0)?.text }
        guard let text = ([name] + others).compactMap(\.self).first(where: { !$0.isEmpty }) else { return }
        self.properties.insert(Property("FN", text: text), at: 0)
    }
}

extension VCard.Property {
    /// Whether this is the first or last line of a card.
    fileprivate func isMark(_ name: String) -> Bool {
        self.isNamed(name) && Names.areEqual(self.rawValue, "VCARD")
    }
}
