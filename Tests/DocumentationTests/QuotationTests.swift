// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

/// What the guides quote, of the compiler and of the package's own messages, is what those say.
@Suite("Quotations in guides", .timeLimit(.minutes(10)))
struct QuotationTests {
    private static let guides = "Sources/AsyncBridge/AsyncBridge.docc/Guides"

    // MARK: The compiler

    @Test func `compiler messages are those of the mistakes`() throws {
        let messages =
            try Self.messages(under: "Tests/Messages/Mistakes")
            + Self.messages(under: "Tests/Messages/WithoutTraits")
        try Self.compare("CompilerMessages.md", with: messages)
    }

    @Test func `unannotated libraries messages are those of the mistakes`() throws {
        try Self.compare("UnannotatedLibraries.md", with: try Self.messages(under: "Tests/Messages/Unannotated"))
    }

    @Test func `the guide to macros quotes the messages of their mistakes`() throws {
        let guide = try PackageFiles.file(
            "Sources/AsyncBridgeMacros/AsyncBridgeMacros.docc/Guides/WriteBridgesWithMacros.md"
        )
        let section = try #require(guide.text.split(separator: "\n## ").first { $0.hasPrefix("What does not compile") })
        let quotations = Quotations.quotations(in: String(section)).map { $0.split(separator: "…").map(\.trimmed) }
        let messages = try Self.messages(under: "Tests/Messages/Macros")
        #expect(messages.count > 5)
        for message in messages where !quotations.contains(where: { $0.allSatisfy { message.contains($0) } }) {
            Issue.record("\(guide.path) does not quote: \(message)")
        }
    }

    /// Each row of the guide's tables of messages quotes one, and each message is in a row.
    private static func compare(_ name: String, with messages: [String]) throws {
        #expect(!messages.isEmpty)
        let guide = try PackageFiles.file("\(Self.guides)/\(name)")
        let quoted = Quotations.firstCells(of: guide.text, inTablesOf: "The compiler says")
        #expect(!quoted.isEmpty)
        for words in quoted where !messages.contains(where: { $0.contains(words) }) {
            Issue.record("\(guide.path): no mistake in Tests/Messages gets the message: \(words)")
        }
        for message in messages where !quoted.contains(where: { message.contains($0) }) {
            Issue.record("\(guide.path): there is no row for the message: \(message)")
        }
    }

    private static func messages(under folder: String) throws -> [String] {
        try PackageFiles.files(under: folder, ending: ".swift").flatMap { Quotations.messages(ofMistake: $0.text) }
    }

    // MARK: The package

    @Test func `what happens when quotes the sources`() throws {
        let guide = try PackageFiles.file("\(Self.guides)/WhatHappensWhen.md")
        try Self.check(Quotations.quotations(in: guide.text), of: guide, atLeast: 40)
    }

    @Test func `coming from swift coroutine quotes the sources`() throws {
        let guide = try PackageFiles.file("Sources/Coroutines/Coroutines.docc/Guides/ComingFromSwiftCoroutine.md")
        let cells = Quotations.firstCells(of: guide.text, inTablesOf: "The line says")
        try Self.check(cells.flatMap { Quotations.quotations(in: $0) }, of: guide, atLeast: 5)
    }

    /// Each piece of a quotation, which "…" divides, stands in a source.
    private static func check(_ quotations: [String], of guide: PackageFile, atLeast count: Int) throws {
        let sources =
            try PackageFiles.files(under: "Sources", ending: ".swift").map { Quotations.joinedLiterals(of: $0.text) }
            + PackageFiles.files(under: "Sources", ending: ".c").map(\.text)
        #expect(quotations.count >= count)
        for words in quotations {
            for piece in words.split(separator: "…") where !piece.trimmed.isEmpty {
                if !sources.contains(where: { $0.contains(piece.trimmed) }) {
                    Issue.record("\(guide.path): the sources do not say: \(piece.trimmed)")
                }
            }
        }
    }

    @Test(arguments: ["Diagnostics/Misuse.swift", "Errors/BridgeFault.swift"])
    func `every kind has its row`(_ path: String) throws {
        let source = try PackageFiles.file("Sources/AsyncBridgeCore/\(path)")
        let guide = try PackageFiles.file("\(Self.guides)/WhatHappensWhen.md")
        let kinds = source.text.matches(of: /case \.\w+: "([^"]+)"/).map { String($0.1) }
        #expect(kinds.count > 10)
        for kind in kinds where !guide.text.contains("\"\(kind)\"") {
            Issue.record("\(guide.path): there is no row for \"\(kind)\" of \(source.path)")
        }
    }
}

/// What a text quotes.
enum Quotations {
    /// The first cells of the rows of all tables whose first column has the given title, without code marks.
    static func firstCells(of text: String, inTablesOf title: String) -> [String] {
        var cells: [String] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            guard line.hasPrefix("|"), parts.count > 2 else {
                isInside = false
                continue
            }
            let cell = parts[1].trimmed
            if cell == title {
                isInside = true
            } else if isInside, !cell.hasPrefix("---") {
                // A cell that is code as a whole; marks inside a message are the message's own.
                let isCode = cell.hasPrefix("`") && cell.hasSuffix("`") && !cell.dropFirst().dropLast().contains("`")
                cells.append(isCode ? String(cell.dropFirst().dropLast()) : cell)
            }
        }
        return cells
    }

    /// The messages that a file of `Tests/Messages` says that the compiler says, each in one line.
    static func messages(ofMistake text: String) -> [String] {
        var messages: [String] = []
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /\/\/ (?:error|warning): (.*)/) {
                messages.append(String(match.1))
            } else if line.hasPrefix("//   "), let last = messages.popLast() {
                messages.append("\(last) \(line.dropFirst(5))")
            }
        }
        return messages
    }

    /// What stands in quotation marks, outside blocks of code.
    static func quotations(in text: String) -> [String] {
        text.matches(of: /"([^"\n]+)"/).map { String($0.1) }
    }

    /// A source in which literals that were broken into lines are whole.
    static func joinedLiterals(of source: String) -> String {
        source.replacing(/"\n\s*\+ "/, with: "").replacing(/\\\n\s*/, with: "")
    }
}

@Suite("Quotations are found", .timeLimit(.minutes(10)))
struct QuotationFindingTests {
    @Test func `in tables of a title`() {
        let text = """
            | The compiler says | Write |
            |---|---|
            | `cannot find` | x |
            | What `onCancel:` asks | y |

            | Other | Write |
            |---|---|
            | no | z |
            """
        #expect(
            Quotations.firstCells(of: text, inTablesOf: "The compiler says") == [
                "cannot find", "What `onCancel:` asks",
            ]
        )
    }

    @Test func `in mistakes`() {
        let text = "// A title.\n//\n// error: one\n//   and more\n// warning: two\n\nimport A\n// error: three\n"
        #expect(Quotations.messages(ofMistake: text) == ["one and more", "two", "three"])
    }

    @Test func `in literals of several lines`() {
        #expect(
            Quotations.joinedLiterals(of: "a: \"b \"\n    + \"c\"\n\"\"\"\nd \\\n  e\n\"\"\"")
                == "a: \"b c\"\n\"\"\"\nd e\n\"\"\""
        )
        #expect(Quotations.quotations(in: "| \"b c\" | x |\n\"d\"") == ["b c", "d"])
    }
}
