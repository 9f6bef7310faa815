// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing
import VCard

@Suite("Reading cards", .timeLimit(.minutes(10)))
struct ReadingTests {
    /// Reads one card with these lines between `VERSION` and `END`.
    private func card(_ lines: String..., newline: String = "\r\n") throws -> VCard {
        let all = ["BEGIN:VCARD", "VERSION:4.0", "FN:Test"] + lines + ["END:VCARD", ""]
        let cards = try VCard.read(Array(all.joined(separator: newline).utf8))
        #expect(cards.count == 1)
        return try #require(cards.first?.card)
    }

    @Test func `a property with all parts`() throws {
        let property = try #require(self.card("item1.TEL;TYPE=\"voice,work\",home;PREF=1:tel:+1;ext=2").first("tel"))
        #expect(property.group == "item1")
        #expect(property.name == "TEL")
        #expect(property.values(ofParameter: "type") == ["voice,work", "home"])
        #expect(property.values(ofParameter: "pref") == ["1"])
        #expect(property.rawValue == "tel:+1;ext=2")
    }

    @Test(arguments: ["\r\n", "\n"]) func `folded lines`(_ newline: String) throws {
        let card = try self.card("NOTE:one", " two", "\tthree", "  four", newline: newline)
        #expect(card.first("NOTE")?.rawValue == "onetwothree four")
    }

    @Test func `a character that was folded in the middle`() throws {
        var bytes = Array("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:J".utf8)
        bytes += [0xC3] + Array("\r\n ".utf8) + [0xBC] + Array("rgen\r\nEND:VCARD\r\n".utf8)
        #expect(try VCard.read(bytes).first?.card.formattedName == "Jürgen")
    }

    @Test func escapes() throws {
        let card = try self.card(#"NOTE:a\, b\; c\\ d\ne\Nf \x"#)
        #expect(card.first("NOTE")?.text == "a, b; c\\ d\ne\nf \\x")
    }

    @Test func `lists and structures`() throws {
        let card = try self.card(#"N:Public;John;Q\;uinlan,Paul;Mr.;"#, #"NICKNAME:Jim,Ji\,mmie"#)
        #expect(card.first("N")?.components == ["Public", "John", "Q;uinlan,Paul", "Mr.", ""])
        #expect(card.first("NICKNAME")?.texts == ["Jim", "Ji,mmie"])
    }

    /// As `Character`s, a separator and the mark behind it are one.
    @Test func `separators before combining marks`() throws {
        let card = try self.card("N;X-A=b:\u{301}a;\u{301}b")
        #expect(card.first("N")?.components.map { Array($0.unicodeScalars).count } == [2, 2])
    }

    @Test func `parameters with circumflexes`() throws {
        let card = try self.card(#"ADR;LABEL="1 Road^n^'Town^'; 5^^6^x":;;;;;;"#)
        #expect(card.first("ADR")?.values(ofParameter: "LABEL") == ["1 Road\n\"Town\"; 5^6^x"])
    }

    @Test func `byte order mark and blank lines`() throws {
        let text =
            "\u{FEFF}\r\nBEGIN:VCARD\r\n\r\nVERSION:4.0\r\nFN:A\r\nEND:VCARD\r\n\r\n\nbegin:vcard\nversion:4.0\nfn:B\nend:vcard"
        let cards = try VCard.read(Array(text.utf8))
        #expect(cards.map(\.card.formattedName) == ["A", "B"])
        #expect(cards.map(\.line) == [2, 9])
    }

    @Test func nothing() throws { #expect(try VCard.read([]).isEmpty) }

    @Test(arguments: [
        ("FN:A", 1, "'BEGIN:VCARD' is missing"),
        (" FN:A", 1, "begins with a blank"),
        ("BEGIN:VCARD", 1, "does not end"),
        ("BEGIN:VCARD\nFN:A\nEND:VCARD", 2, "'VERSION:4.0' is missing"),
        ("BEGIN:VCARD\nVERSION:5.0\nFN:A\nEND:VCARD", 2, "version '5.0'"),
        ("BEGIN:VCARD\nFN:A\nVERSION:4.0\nEND:VCARD", 2, "'VERSION:4.0' is missing"),
        ("BEGIN:VCARD\nVERSION:4.0\nFN:A", 1, "does not end"),
        ("\nBEGIN:VCARD\nVERSION:4.0\nN:A\nEND:VCARD", 2, "has no name"),
        ("BEGIN:VCARD\nVERSION:4.0\nFN:A\nBEGIN:VCARD\nVERSION:4.0", 4, "Is 'END:VCARD' missing?"),
        ("BEGIN:VCARD\nVERSION:4.0\nFN:A\n b\nTEL", 5, "A ':' is missing behind 'TEL'"),
        ("BEGIN:VCARD\nVERSION:4.0\nTEL;HOME:1", 3, "'HOME' has no '='"),
        ("BEGIN:VCARD\nVERSION:4.0\nTEL;TYPE=\"a:1", 3, "does not end"),
        ("BEGIN:VCARD\nVERSION:4.0\nTEL;TYPE=a\"b:1", 3, "in the middle"),
        ("BEGIN:VCARD\nVERSION:4.0\n:1", 3, "name of a property or parameter is missing"),
        ("BEGIN:VCARD\nVERSION:4.0\na.b.TEL:1", 3, "A ':' is missing"),
        ("BEGIN:VCARD\nVERSION:4.0\nFN:a\u{1}b", 3, "control character"),
        ("BEGIN:VCARD\nVERSION:4.0\nFN:a\rb", 3, "control character"),
        ("BEGIN:VCARD\nVERSION:4.0\nFN:a\nEND:VCARD\nend", 5, "A ':' is missing"),
    ])
    func mistakes(_ text: String, _ line: Int, _ reason: String) {
        let error = #expect(throws: VCardError.self) { try VCard.read(Array(text.utf8)) }
        #expect(error?.line == line)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `not UTF-8`() {
        let bytes = Array("BEGIN:VCARD\nVERSION:4.0\nFN:".utf8) + [0xFC, 0x0A]
        #expect(throws: VCardError(line: 3, reason: "The line is not UTF-8. Convert the file.")) {
            try VCard.read(bytes)
        }
    }

    @Test func limits() throws {
        let text = Array("BEGIN:VCARD\nVERSION:4.0\nFN:A\nTEL;A=1,2;B=3:1\nEND:VCARD\n".utf8)
        func read(_ change: (inout VCard.Limits) -> Void) throws -> Int {
            var limits = VCard.Limits()
            change(&limits)
            return try VCard.read(text + text, limits: limits).count
        }
        #expect(try read { $0.fileBytes = text.count * 2 } == 2)
        #expect(throws: VCardError.self) { try read { $0.fileBytes = text.count * 2 - 1 } }
        #expect(try read { $0.lineBytes = 15 } == 2)
        #expect(throws: VCardError.self) { try read { $0.lineBytes = 14 } }
        #expect(try read { $0.cards = 2 } == 2)
        #expect(throws: VCardError.self) { try read { $0.cards = 1 } }
        #expect(try read { $0.properties = 2 } == 2)
        #expect(throws: VCardError.self) { try read { $0.properties = 1 } }
        #expect(try read { $0.parameters = 2 } == 2)
        #expect(throws: VCardError.self) { try read { $0.parameters = 1 } }
    }
}
