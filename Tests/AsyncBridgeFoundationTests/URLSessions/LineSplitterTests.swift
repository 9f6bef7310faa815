// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation
import Testing

@Suite("Lines out of bytes in pieces", .timeLimit(.minutes(10)))
struct LineSplitterTests {
    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n", [""]), ("\n\na", ["", "", "a"]),
        ("a\r\nb\r\n", ["a", "b"]), ("a\rb\r\nc", ["a\rb", "c"]), ("äö\nü", ["äö", "ü"]),
    ]
    )
    func `whatever the pieces`(text: String, expected: [String]) {
        let bytes = Data(text.utf8)
        for size in 1...max(1, bytes.count) {
            var splitter = LineSplitter()
            var lines: [String] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                splitter.append(bytes[start..<min(start + size, bytes.count)])
                while let line = splitter.line() { lines.append(line) }
            }
            if let rest = splitter.rest() { lines.append(rest) }
            #expect(lines == expected)
            #expect(splitter.line() == nil)
            #expect(splitter.rest() == nil)
        }
    }
}
