// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing
import VCard

@Suite("Writing cards, and reading them again", .timeLimit(.minutes(10)))
struct RoundTripTests {
    private static let sample = """
        BEGIN:VCARD
        VERSION:4.0
        UID:urn:uuid:1
        FN;LANGUAGE=de:Käthe Größenwahn\\, Ärztin für 漢字 und 🧑‍🤝‍🧑🧑‍🤝‍🧑🧑‍🤝‍🧑🧑‍🤝‍🧑🧑‍🤝‍🧑🧑‍🤝‍🧑🧑‍🤝‍🧑🧑‍🤝‍🧑
        item1.TEL;TYPE="voice,work",home;X-A=b^nc:tel:+49
        X-UNKNOWN;X-B="a;b:c":1;2,3\\n\\\\
        END:VCARD
        BEGIN:VCARD
        VERSION:4.0
        FN:B
        END:VCARD

        """

    @Test func `lines are short and whole`() throws {
        let bytes = VCard.write(try VCard.read(Array(Self.sample.utf8)).map(\.card))
        let text = try #require(String(validating: bytes, as: UTF8.self))
        #expect(text.hasSuffix("\r\n"))
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
        // Folded, or the test would say nothing.
        #expect(lines.contains { $0.first == UInt8(ascii: " ") })
        for line in lines {
            #expect(line.last == UInt8(ascii: "\r"))
            #expect(line.count <= 76)
            #expect(String(validating: line, as: UTF8.self) != nil, "a character is torn apart")
        }
    }

    @Test func `the sample loses nothing`() throws {
        let cards = try VCard.read(Array(Self.sample.utf8)).map(\.card)
        #expect(cards.count == 2)
        #expect(try VCard.read(VCard.write(cards)).map(\.card) == cards)
        // Nor a byte, once it has been written.
        #expect(VCard.write(try VCard.read(VCard.write(cards)).map(\.card)) == VCard.write(cards))
    }

    @Test func `any text loses nothing`() throws {
        var random = SplitMix(seed: 1)
        let scalars = Array("aZ0-,;:\\\"^ '\n\tn=.\u{301}é漢🧑\u{85}\u{2028}".unicodeScalars)
        func text() -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...120, using: &random) {
                text.append(scalars.randomElement(using: &random) ?? "a")
            }
            return String(text)
        }
        for _ in 0..<300 {
            var property = VCard.Property("X-TEST", text: text())
            property.parameters = [
                VCard.Parameter("P", values: [text(), text()]), VCard.Parameter("Q", values: [text()]),
            ]
            let card = VCard(properties: [VCard.Property("FN", text: text()), property])
            let read = try VCard.read(VCard.write([card])).map(\.card)
            // By scalars: `==` of strings is not that strict.
            #expect(read.map(Self.scalars) == [card].map(Self.scalars))
        }
    }

    private static func scalars(_ card: VCard) -> [[Unicode.Scalar]] {
        card.properties.flatMap { [$0.text] + $0.parameters.flatMap(\.values) }.map { Array($0.unicodeScalars) }
    }

    private static let oldSample = """
        BEGIN:VCARD
        VERSION:2.1
        N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller\\;;J=
        =FCrgen;;;
        TEL;HOME;PREF:+49
        PHOTO;ENCODING=BASE64;JPEG:
          /9j/4AAQ

        END:VCARD
        BEGIN:VCARD
        N:B;A
        VERSION:3.0
        ADR;TYPE=home,pref:;;1\\, Road;Town;;;
        GEO:37.38;-122.08
        END:VCARD

        """

    /// Whatever a file looks like: it is refused, or kept as it is.
    @Test(arguments: [Self.sample, Self.oldSample]) func `damaged files are refused or kept`(_ text: String) throws {
        var random = SplitMix(seed: 2)
        let sample = Array(text.utf8)
        let favourites = Array("\r\n \t:;,=\"\\^.".utf8) + [0, 0xC3, 0xFF, 0x80]
        var (refused, kept) = (0, 0)
        for _ in 0..<4_000 {
            var bytes = sample
            for _ in 0...Int.random(in: 0...1, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = favourites.randomElement(using: &random) ?? 0
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(favourites.randomElement(using: &random) ?? 0, at: index)
                default: bytes.removeSubrange(index..<min(bytes.count, index + 20))
                }
            }
            guard let cards = try? VCard.read(bytes).map(\.card) else {
                refused += 1
                continue
            }
            #expect(try VCard.read(VCard.write(cards)).map(\.card) == cards)
            kept += 1
        }
        // Both happen often.
        #expect(refused > 200 && kept > 200, "\(refused) refused, \(kept) kept")
    }
}
