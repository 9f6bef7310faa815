// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "My code produces values, and must not be turned inside out".

import AsyncBridge
import Coroutines

func squares() {
    // snippet.SQUARES
    let squares = Generator { yield in
        for n in 1... { try yield(n * n) }
    }
    for square in squares.prefix(5) { print(square) }
    // snippet.end
    precondition(Array(squares.prefix(5)) == [1, 4, 9, 16, 25])
}

func walk(root: Node) {
    // snippet.WALK
    func walk(_ node: Node, _ yield: Generator<Node>.Yielder) throws {
        try yield(node)
        for child in node.children { try walk(child, yield) }
    }
    let nodes = Generator { yield in try walk(root, yield) }
    // snippet.end
    precondition(nodes.map(\.name) == ["root", "left", "leaf", "right"])
}

func lines(files: [File], logger: Logger) {
    // snippet.ERRORS
    let lines = Generator(of: Substring.self, onError: { logger.error("\($0)") }) { yield in
        for file in files { for line in try read(file).split(separator: "\n") { try yield(line) } }
    }
    // snippet.end
    // The second file is missing: what was read before it counts.
    precondition(Array(lines) == ["one", "two"])
    precondition(logger.messages.count == 1)
}

func rows(file: File, table: Table) throws {
    // snippet.THROWING
    let rows = ThrowingGenerator { yield in
        for line in try readLines(of: file) { try yield(try Row(parsing: line)) }
    }
    var iterator = rows.makeIterator()
    while let row = try iterator.next() { table.insert(row) }
    // snippet.end
    // snippet.EACH
    try rows.forEach { table.insert($0) }
    // snippet.end
    precondition(table.rows.map(\.name) == ["one", "two", "one", "two"])
}

func quotes(client: QuoteClient, ids: [String]) async throws {
    var shown: [String] = []
    func show(_ quote: String) { shown.append(quote) }
    // snippet.ASYNC
    let quotes = AsyncGenerator { yield in
        for id in ids { try yield(try Coroutine.await { try await client.quote(id: id) }) }
    }
    for try await quote in quotes { show(quote) }
    // snippet.end
    precondition(shown == ["quote 1", "quote 2"])
}

squares()
walk(root: Node("root", [Node("left", [Node("leaf")]), Node("right")]))
lines(files: [File(text: "one\ntwo"), File(text: nil)], logger: Logger())
try rows(file: File(text: "one\ntwo"), table: Table())
try await quotes(client: QuoteClient(), ids: ["1", "2"])

// MARK: - Stand-ins

struct Node {
    let name: String
    let children: [Node]

    init(_ name: String, _ children: [Node] = []) {
        self.name = name
        self.children = children
    }
}

struct File {
    struct Missing: Error {}

    let text: String?
}

func read(_ file: File) throws -> String {
    guard let text = file.text else { throw File.Missing() }
    return text
}

func readLines(of file: File) throws -> [Substring] { try read(file).split(separator: "\n") }

final class Logger {
    private(set) var messages: [String] = []

    func error(_ message: String) { self.messages.append(message) }
}

struct Row {
    let name: String

    init(parsing line: Substring) throws { self.name = String(line) }
}

final class Table {
    private(set) var rows: [Row] = []

    func insert(_ row: Row) { self.rows.append(row) }
}

final class QuoteClient: Sendable {
    func quote(id: String) async throws -> String { "quote \(id)" }
}
