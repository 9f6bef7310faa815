// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CommandSupport
import Foundation
import Testing

@Suite("Text for a terminal", .timeLimit(.minutes(10)))
struct PrintableTests {
    @Test(arguments: [
        ("plain é 四 👩‍👩‍👧", "plain é 四 👩‍👩‍👧"),
        ("\u{1B}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
        ("\u{9B}2J", "\\u{9b}2J"),
        ("a\r\nb\tc", "a\\u{d}\\u{a}b\\u{9}c"),
        ("\u{202E}txt.exe", "\\u{202e}txt.exe"),
    ]
    )
    func `has no characters that steer it`(text: String, expected: String) { #expect(Printable.text(text) == expected) }

    @Test
    func `in JSON means the same`() throws {
        let text = String(String.UnicodeScalarView((0..<0x2100).compactMap(Unicode.Scalar.init)))
        let encoded = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
        let printable = Printable.json(encoded)
        #expect(try JSONDecoder().decode([String].self, from: Data(printable.utf8)) == [text])
        #expect(printable.unicodeScalars.allSatisfy { !(0x7F..<0xA0).contains($0.value) && $0.value != 0x202E })
    }
}
