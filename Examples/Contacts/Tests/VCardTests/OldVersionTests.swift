// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing
import VCard

/// What telephones, Outlook and address books on the web export, as cards of version 4.0.
@Suite("Reading cards of the old versions", .timeLimit(.minutes(10)))
struct OldVersionTests {
    private func card(_ version: String, _ lines: String..., newline: String = "\r\n") throws -> VCard {
        let all = ["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]
        return try self.card(Array(all.joined(separator: newline).utf8))
    }

    /// Reads one card, which must be the same when it has been written and read again.
    private func card(_ bytes: [UInt8]) throws -> VCard {
        let cards = try VCard.read(bytes).map(\.card)
        let written = try VCard.read(VCard.write(cards)).map(\.card)
        #expect(written == cards)
        #expect(cards.count == 1)
        return try #require(cards.first)
    }

    @Test(arguments: ["2.1", "3.0"]) func `names and types`(_ version: String) throws {
        let types = version == "2.1" ? "HOME;VOICE;PREF" : "TYPE=HOME,VOICE,pref"
        let card = try self.card(version, "FN:Ada Lovelace", "N:Lovelace;Ada;;;", "item1.TEL;\(types):+44 1")
        #expect(card.formattedName == "Ada Lovelace")
        #expect(card.first("N")?.components == ["Lovelace", "Ada", "", "", ""])
        let number = try #require(card.first("TEL"))
        #expect(number.group == "item1" && number.text == "+44 1")
        #expect(number.values(ofParameter: "TYPE") == ["HOME", "VOICE"])
        #expect(number.values(ofParameter: "PREF") == ["1"])
    }

    @Test func `quoted text that goes on in the next line`() throws {
        let card = try self.card(
            "2.1",
            "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen",
            "NOTE;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:gr=FC=DF=",
            "e=0D=0Aaus, Berlin\\;",
            " END:VCARD"
        )
        #expect(card.first("N")?.components == ["Müller", "Jürgen"])
        #expect(card.first("NOTE")?.text == "grüße\naus, Berlin; END:VCARD")
        #expect(card.first("NOTE")?.parameters == [])
        #expect(card.formattedName == "Jürgen Müller")
    }

    @Test func `in version 2.1 only a semicolon has an escape`() throws {
        let card = try self.card("2.1", "FN:A", #"NOTE:C:\new, and more\; or not"#, #"ADR:;;1, Road\;;Town;;;"#)
        #expect(card.first("NOTE")?.text == #"C:\new, and more; or not"#)
        #expect(card.first("ADR")?.components == ["", "", "1, Road;", "Town", "", "", ""])
    }

    @Test func `version 3.0 has the escapes of 4.0`() throws {
        let card = try self.card("3.0", "FN:A", #"NOTE:a\, b\; c\\ d\ne"#, "CATEGORIES:x,y", "NICKNAME:Jo", " hn")
        #expect(card.first("NOTE")?.text == "a, b; c\\ d\ne")
        #expect(card.first("CATEGORIES")?.texts == ["x", "y"])
        #expect(card.first("NICKNAME")?.text == "John")
    }

    @Test(arguments: ["PHOTO;ENCODING=BASE64;JPEG:", "PHOTO;TYPE=JPEG;BASE64:"]) func pictures(_ head: String) throws {
        let old = try self.card("2.1", "FN:A", head, " /9j/4AAQ", "  SkZJRg==", "", "TEL:1")
        #expect(old.first("PHOTO")?.rawValue == "data:image/jpeg;base64,/9j/4AAQSkZJRg==")
        #expect(old.first("PHOTO")?.parameters == [])
        #expect(old.first("TEL")?.text == "1")
        let newer = try self.card("3.0", "FN:A", "LOGO;ENCODING=b;TYPE=PNG,x-small:iVBOR", " w0KGgo=")
        #expect(newer.first("LOGO")?.rawValue == "data:image/png;base64,iVBORw0KGgo=")
        #expect(newer.first("LOGO")?.values(ofParameter: "TYPE") == ["x-small"])
    }

    @Test func `a place becomes an address`() throws {
        #expect(try self.card("3.0", "FN:A", "GEO:37.38;-122.08").first("GEO")?.rawValue == "geo:37.38,-122.08")
        #expect(try self.card("2.1", "FN:A", "GEO:37.38,-122.08").first("GEO")?.rawValue == "geo:37.38,-122.08")
        #expect(try self.card("2.1", "FN:A", "URL:https://a.b/?c,d").first("URL")?.rawValue == "https://a.b/?c,d")
    }

    @Test(arguments: [
        (["FN:", "N:Doe;Jane;M.;Dr.;MD"], "Dr. Jane M. Doe MD"), (["N:;;", "ORG:Acme;Sales"], "Acme"),
        (["EMAIL;INTERNET:a@b.c"], "a@b.c"), (["TEL:1"], "1"),
    ])
    func `a card without a name gets one`(_ lines: [String], _ name: String) throws {
        let text = (["BEGIN:VCARD", "VERSION:2.1"] + lines + ["END:VCARD"]).joined(separator: "\r\n")
        #expect(try self.card(Array(text.utf8)).formattedName == name)
    }

    @Test func `bytes that no card names an encoding for`() throws {
        let head = Array("BEGIN:VCARD\r\nN:M".utf8)
        // A version below what is not UTF-8.
        let bytes = head + [0xFC] + Array("ller;J\r\nVERSION:3.0\r\nEND:VCARD\r\n".utf8)
        #expect(try self.card(bytes).formattedName == "J Müller")
        let japanese = Array("BEGIN:VCARD\nVERSION:2.1\nFN;CHARSET=SHIFT_JIS:".utf8) + [0x93, 0x8C, 0x8B, 0x9E]
        #expect(try self.card(japanese + Array("\nEND:VCARD".utf8)).formattedName == "東京")
    }

    @Test(arguments: [true, false], [true, false]) func `UTF-16`(_ lowByteFirst: Bool, _ hasMark: Bool) throws {
        let text = (hasMark ? "\u{FEFF}" : "") + "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:漢字 🧑\r\nEND:VCARD\r\n"
        let bytes = text.utf16.flatMap { unit -> [UInt8] in
            let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
            return lowByteFirst ? [low, high] : [high, low]
        }
        #expect(try self.card(bytes).formattedName == "漢字 🧑")
        #expect(throws: VCardError.self) { try VCard.read(bytes.dropLast()) }
    }

    @Test func `two line ends for each line`() throws {
        #expect(try self.card("3.0", "FN:A", "NOTE:b", " c", newline: "\r\r\n").first("NOTE")?.text == "bc")
    }

    @Test func `cards of several versions in one file`() throws {
        let text =
            "BEGIN:VCARD\nVERSION:2.1\nTEL;HOME:1\nEND:VCARD\n"
            + "BEGIN:VCARD\nVERSION:4.0\nFN:A\nTEL;TYPE=home:2\nEND:VCARD\n"
        let cards = try VCard.read(Array(text.utf8))
        #expect(cards.map(\.card.formattedName) == ["1", "A"])
        #expect(cards.map(\.line) == [1, 5])
        // What only the old ones may do is still a mistake.
        let mixed = text.replacing("TEL;TYPE=home:2", with: "TEL;HOME:2")
        #expect(throws: VCardError.self) { try VCard.read(Array(mixed.utf8)) }
    }

    @Test(arguments: [
        ("NOTE;ENCODING=QUOTED-PRINTABLE:=4", "two digits"), ("NOTE;ENCODING=x-odd:a", "'x-odd' is not known"),
        ("NOTE;CHARSET=x-odd:a", "'x-odd'"), ("BEGIN:VCARD", "Is 'END:VCARD' missing?"),
    ])
    func mistakes(_ line: String, _ reason: String) throws {
        let text = "BEGIN:VCARD\nVERSION:2.1\nFN:A\n\(line)\nEND:VCARD\n"
        let error = #expect(throws: VCardError.self) { try VCard.read(Array(text.utf8)) }
        #expect(error?.line == 4)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
}
