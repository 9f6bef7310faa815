// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "My code produces values and must not turn inside out".

import Coroutines

func squares() -> [Int] {
    var printed: [Int] = []
    func print(_ square: Int) { printed.append(square) }
    // snippet.SQUARES
    let squares = Generator { yield in
        for n in 1... { try yield(n * n) }
    }
    for square in squares.prefix(5) { print(square) }
    // snippet.end
    return printed
}

func lines(files: [String], logger: Logger) -> [String] {
    // snippet.LINES
    let lines = Generator(of: Substring.self, onError: { logger.error("\($0)") }) { yield in
        for file in files { for line in try read(file).split(separator: "\n") { try yield(line) } }
    }
    // snippet.end
    return lines.map(String.init)
}

func names(of root: Node, comparedTo other: Node) -> (names: [String], areAlike: Bool) {
    // snippet.WALK
    func walk(_ node: Node, _ yield: Generator<Node>.Yielder) throws {
        try yield(node)
        for child in node.children { try walk(child, yield) }
    }
    let nodes = Generator { yield in try walk(root, yield) }
    // snippet.end
    // snippet.ALIKE
    let others = Generator { yield in try walk(other, yield) }
    let areAlike = nodes.elementsEqual(others) { $0.name == $1.name }
    // snippet.end
    return (nodes.map(\.name), areAlike)
}

func fill(_ table: Table, from file: String) throws {
    // snippet.ROWS
    let rows = ThrowingGenerator { yield in
        for line in try readLines(of: file) { try yield(try Row(parsing: line)) }
    }
    var iterator = rows.makeIterator()
    while let row = try iterator.next() { table.insert(row) }
    // snippet.end
    // snippet.FOREACH
    try rows.forEach { table.insert($0) }
    // snippet.end
}

func quotes(client: QuoteClient, ids: [String]) async throws -> [String] {
    var shown: [String] = []
    func show(_ quote: String) { shown.append(quote) }
    // snippet.QUOTES
    let quotes = AsyncGenerator { yield in
        for id in ids { try yield(try Coroutine.await { try await client.quote(id: id) }) }
    }
    for try await quote in quotes { show(quote) }
    // snippet.end
    return shown
}

func firstMatch(in database: Database) -> Row? {
    // snippet.CLEANUP
    let rows = Generator { yield in
        let cursor = database.openCursor()
        defer { cursor.close() }
        while let row = cursor.next() { try yield(row) }
    }
    // The cursor is closed when this returns, whether or not a row was found.
    return rows.first { $0.isMatch }
    // snippet.end
}

func total(client: QuoteClient, ids: [String]) async throws -> Int {
    // snippet.WAITING
    let quotes = Generator { yield in
        for id in ids { try yield(try Coroutine.await { try await client.quote(id: id) }) }
    }
    let total = try await withCoroutine {
        let total = quotes.reduce(0) { $0 + $1.count }
        // A plain loop cannot throw: this tells a cancelled wait from the end.
        try Coroutine.checkCancellation()
        return total
    }
    // snippet.end
    return total
}

precondition(squares() == [1, 4, 9, 16, 25])

let logger = Logger()
precondition(lines(files: ["a\nb", "c", "missing", "d"], logger: logger) == ["a", "b", "c"])
precondition(logger.errors.count == 1)

let tree = Node(name: "root", children: [Node(name: "left", children: []), Node(name: "right", children: [])])
precondition(names(of: tree, comparedTo: tree) == (["root", "left", "right"], true))
print("a recursion: \(names(of: tree, comparedTo: tree).names)")
precondition(!names(of: tree, comparedTo: tree.children[0]).areAlike)

let table = Table()
try fill(table, from: "1\n2\n3")
precondition(table.rows.map(\.number) == [1, 2, 3, 1, 2, 3])
do {
    try fill(table, from: "4\nfive\n6")
    preconditionFailure("a row that is no number was parsed")
} catch is Row.ParsingError {
    precondition(table.rows.last?.number == 4)
    print("an error let through, after the rows: \(table.rows.map(\.number))")
}

let found = try await quotes(client: QuoteClient(), ids: ["1", "2"])
precondition(found == ["quote 1", "quote 2"])

let database = Database(rows: [1, 2, 3, 4])
precondition(firstMatch(in: database)?.number == 3)
precondition(database.openCursors == 0)
print("a loop that was left has open cursors: \(database.openCursors)")

let sum = try await total(client: QuoteClient(), ids: ["1", "22"])
precondition(sum == 15)
print("a body that waits, in a coroutine: \(sum)")

// snippet.hide
// MARK: - Stand-ins

final class Node {
    let name: String
    let children: [Node]

    init(name: String, children: [Node]) {
        self.name = name
        self.children = children
    }
}

struct Row {
    struct ParsingError: Error {}

    let number: Int

    var isMatch: Bool { self.number > 2 }

    init(number: Int) { self.number = number }

    init(parsing line: String) throws {
        guard let number = Int(line) else { throw ParsingError() }
        self.number = number
    }
}

final class Table {
    var rows: [Row] = []

    func insert(_ row: Row) { self.rows.append(row) }
}

final class Logger {
    var errors: [String] = []

    func error(_ message: String) { self.errors.append(message) }
}

struct MissingFile: Error {}

func read(_ file: String) throws -> String {
    if file == "missing" { throw MissingFile() }
    return file
}

func readLines(of file: String) throws -> [String] { try read(file).split(separator: "\n").map(String.init) }

struct QuoteClient: Sendable {
    func quote(id: String) async throws -> String { "quote \(id)" }
}

final class Database {
    final class Cursor {
        private let database: Database
        private var rest: ArraySlice<Row>

        init(of database: Database) {
            self.database = database
            self.rest = database.rows[...]
        }

        func next() -> Row? { self.rest.popFirst() }

        func close() { self.database.openCursors -= 1 }
    }

    let rows: [Row]
    var openCursors = 0

    init(rows: [Int]) { self.rows = rows.map { Row(number: $0) } }

    func openCursor() -> Cursor {
        self.openCursors += 1
        return Cursor(of: self)
    }
}
