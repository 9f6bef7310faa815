// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Await in synchronous code".

import AsyncBridge
import Coroutines
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

func map(client: QuoteClient, ids: [String]) async throws -> [String] {
    // snippet.MAP
    let quotes = try await withCoroutine {
        try ids.map { id in try Coroutine.await { try await client.quote(id: id) } }
    }
    // snippet.end
    return quotes
}

func sort(files: [File]) async throws -> [File] {
    // snippet.SORT
    let sorted = try await withCoroutine {
        try files.sorted { first, second in
            try Coroutine.await { try await first.size() < second.size() }
        }
    }
    // snippet.end
    return sorted
}

func callback(api: ContactStore) async throws -> [Contact] {
    try await withCoroutine {
        // snippet.CALLBACK
        let contacts: [Contact] = try Coroutine.await { callback in
            api.fetchContacts(completion: callback.handler())
        }
        // snippet.end
        return contacts
    }
}

func fadeOut(player: Player) async throws {
    try await withCoroutine {
        // snippet.FADE
        try Coroutine.await { done in player.fadeOut(completion: done) }
        // snippet.end
    }
}

func load(path: String, api: ContactStore) async throws -> String {
    try await withCoroutine {
        // snippet.LOAD
        let (data, response) = try Coroutine.await { api.load(path, completion: $0) }
        // snippet.end
        return "\(response): \(data)"
    }
}

// snippet.QSORT
func sortInC(_ numbers: inout [Int32]) async throws {
    try await withCoroutine {
        qsort(&numbers, numbers.count, MemoryLayout<Int32>.stride) { first, second in
            // A C function calls this closure. It cannot throw through C's frames, so it has a value for failures.
            guard let first = first?.load(as: Int32.self), let second = second?.load(as: Int32.self) else { return 0 }
            return (try? Coroutine.await { try await ComparisonServer.shared.compare(first, second) }) ?? 0
        }
        try Coroutine.checkCancellation()
    }
}
// snippet.end

func loop(over ticker: Ticker) async throws -> [String] {
    var table: [String] = []
    // snippet.LOOP
    try await withCoroutine {
        for quote in Coroutine.sequence(ticker.quotes) { table.append(quote) }
        try Coroutine.checkCancellation()
    }
    // snippet.end
    return table
}

func parse(_ response: Response, with parser: Parser) async throws {
    // snippet.LINES
    try await withCoroutine {
        try Coroutine.forEach(response.lines) { line in try parser.parse(line) }
    }
    // snippet.end
}

func cancel(server: LineServer) -> Task<Void, any Error> {
    // snippet.CANCEL
    let task = Task {
        try await withCoroutine {
            let file = TemporaryFile()
            defer { file.remove() }
            while true { file.append(try Coroutine.await { try await server.nextLine() }) }
        }
    }
    task.cancel()
    // snippet.end
    return task
}

func outsideTheLock(store: QuoteStore, client: QuoteClient) async throws {
    try await withCoroutine {
        // snippet.LOCK
        for id in store.missing {
            let quote = try Coroutine.await { try await client.quote(id: id) }
            store.set(quote, for: id)
        }
        // snippet.end
    }
}

func deep(text: String) async throws -> Tree {
    // snippet.DEEP
    let tree = try await withCoroutine(stackSize: StackSize(kibibytes: 1024)) { try parse(text) }
    // snippet.end
    return tree
}

let quotes = try await map(client: QuoteClient(), ids: ["1", "2"])
precondition(quotes == ["quote 1", "quote 2"])
print("a closure of map has awaited: \(quotes)")

let files = try await sort(files: [File(name: "long"), File(name: "s")])
precondition(files.map(\.name) == ["s", "long"])
print("so has one of sorted: \(files.map(\.name))")

let contacts = try await callback(api: ContactStore())
precondition(contacts.map(\.name) == ["Aristotle"])

try await fadeOut(player: Player())

let answer = try await load(path: "/", api: ContactStore())
precondition(answer == "200: data")

func sortThree() async throws {
    var numbers: [Int32] = [3, 1, 2]
    try await sortInC(&numbers)
    precondition(numbers == [1, 2, 3])
    print("and one that C has called: \(numbers)")
}
try await sortThree()

let elements = try await loop(over: Ticker())
precondition(elements == ["up", "down"])
print("a plain loop over an async sequence: \(elements)")

let parser = Parser()
do {
    try await parse(Response(), with: parser)
    preconditionFailure("the end of the response was lost")
} catch is Response.Interrupted {
    precondition(parser.count.withLock { $0 } == 2)
}

do {
    try await cancel(server: LineServer()).value
    preconditionFailure("a cancelled coroutine went on")
} catch is CancellationError {
    print("cancelled, and the file was removed")
}

let store = QuoteStore()
try await outsideTheLock(store: store, client: QuoteClient())
precondition(store.all == ["1": "quote 1", "2": "known"])

let tree = try await deep(text: "((()))")
precondition(tree.depth == 3)

func open(name: String, store: FileStore) async throws -> String {
    try await withCoroutine {
        // snippet.UNDELIVERED
        let file = try Coroutine.await(onUndelivered: { $0.close() }) { try await store.open(name) }
        // snippet.end
        defer { file.close() }
        return file.name
    }
}

// snippet.hide
// MARK: - Stand-ins

struct OpenFile: Sendable {
    let name: String

    func close() {}
}

struct FileStore: Sendable {
    func open(_ name: String) async throws -> OpenFile { OpenFile(name: name) }
}

struct File: Sendable {
    let name: String

    func size() async throws -> Int { self.name.count }
}

struct Contact: Sendable {
    let name: String
}

final class ContactStore: Sendable {
    func fetchContacts(completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
        completion(.success([Contact(name: "Aristotle")]))
    }

    func load(_ path: String, completion: @escaping @Sendable (String, Int) -> Void) { completion("data", 200) }
}

struct Player {
    func fadeOut(completion: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: completion) }
}

actor ComparisonServer {
    static let shared = ComparisonServer()

    func compare(_ first: Int32, _ second: Int32) async throws -> Int32 { first < second ? -1 : first > second ? 1 : 0 }
}

final class QuoteClient: Sendable {
    func quote(id: String) async throws -> String { "quote \(id)" }
}

// snippet.STORE
final class QuoteStore: Sendable {
    private let quotes = Mutex(["1": "", "2": "known"])

    @inline(never)
    var missing: [String] { self.quotes.withLock { quotes in quotes.keys.filter { quotes[$0] == "" } } }

    @inline(never)
    func set(_ quote: String, for id: String) { self.quotes.withLock { $0[id] = quote } }
}
// snippet.end

extension QuoteStore {
    var all: [String: String] { self.quotes.withLock { $0 } }
}

struct Ticker {
    let quotes = AsyncStream { continuation in
        continuation.yield("up")
        continuation.yield("down")
        continuation.finish()
    }
}

struct Response {
    struct Interrupted: Error {}

    let lines = AsyncThrowingStream { continuation in
        continuation.yield("one")
        continuation.yield("two")
        continuation.finish(throwing: Interrupted())
    }
}

final class Parser: Sendable {
    let count = Mutex(0)

    func parse(_ line: String) throws { self.count.withLock { $0 += 1 } }
}

struct LineServer: Sendable {
    func nextLine() async throws -> String {
        try await Task.sleep(for: .milliseconds(1))
        return "line"
    }
}

final class TemporaryFile {
    func append(_ line: String) {}

    func remove() {}
}

struct Tree: Sendable {
    var depth: Int
}

func parse(_ text: String) throws -> Tree {
    guard text.hasPrefix("("), text.hasSuffix(")") else { return Tree(depth: 0) }
    return Tree(depth: try parse(String(text.dropFirst().dropLast())).depth + 1)
}
