// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CommandSupport
import Foundation
import QuoteKit

/// Writes answers to standard output.
struct Printer: Sendable {
    private let json: Bool
    private let isColoured: Bool

    init(json: Bool) {
        self.json = json
        let environment = ProcessInfo.processInfo.environment
        self.isColoured =
            !json && isatty(FileHandle.standardOutput.fileDescriptor) == 1 && environment["TERM"] != "dumb"
            && (environment["NO_COLOR"] ?? "").isEmpty
    }

    func show(_ quotes: [Quote]) throws { try self.show(quotes, each: self.text) }

    func show(_ authors: [Author]) throws {
        try self.show(authors) {
            "\(self.bold($0.name)) \(self.dim("\($0.slug), \($0.quoteCount)"))\n  \(Printable.text($0.description))"
        }
    }

    func show(_ tags: Tags) throws {
        try self.show(tags) { "\(self.bold($0.name)) \(self.dim("\($0.slug), \($0.quoteCount)"))" }
    }

    /// One quotation; in JSON it is one line.
    func show(_ quote: Quote) throws { try self.write(self.json ? try self.encoded(quote) : self.text(quote)) }

    private func show<Item: Encodable>(_ items: [Item], each text: (Item) -> String) throws {
        if self.json { return try self.write(try self.encoded(items)) }
        for item in items { try self.write(text(item)) }
    }

    private func text(_ quote: Quote) -> String {
        "\(self.bold(quote.content))\n  \(Printable.text(quote.author)) \(self.dim(([quote.id] + quote.tags).joined(separator: ", ")))"
    }

    private func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Printable.json(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    private func bold(_ text: String) -> String { self.printable(text, "1") }

    private func dim(_ text: String) -> String { self.printable(text, "2") }

    private func printable(_ text: String, _ style: String) -> String {
        let text = Printable.text(text)
        return self.isColoured ? "\u{1b}[\(style)m\(text)\u{1b}[0m" : text
    }

    /// At once, so that `watch` can be read through a pipe.
    private func write(_ line: String) throws { try StandardOutput.write(line: line) }
}
