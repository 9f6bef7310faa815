// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "My code is synchronous and must await".

import AsyncBridge
import Coroutines
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

struct File: Sendable {
    let name: String

    func size() async throws -> Int { self.name.count }
}

func map(client: QuoteClient, ids: [String]) async throws {
    // snippet.MAP
    let quotes = try await withCoroutine {
        try ids.map { id in try Coroutine.await { try await client.quote(id: id) } }
    }
    // snippet.end
    print(quotes)
}

func sort(files: [File]) async throws {
    // snippet.SORT
    let sorted = try await withCoroutine {
        try files.sorted { first, second in
            try Coroutine.await { try await first.size() < second.size() }
        }
    }
    // snippet.end
    print(sorted)
}

final class ContactStore: Sendable {
    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
        completion(.success([Contact(name: "Aristotle")]))
    }
}

func callback(api: ContactStore) async throws {
    try await withCoroutine {
        // snippet.CALLBACK
        let contacts: [Contact] = try Coroutine.await { callback in
            api.fetchContacts { callback.resume(with: $0) }
        }
        // snippet.end
        print(contacts)
    }
}

func sequences(ticker: Ticker, url: Page, parser: Parser) async throws {
    var table: [String] = []
    // snippet.SEQUENCE
    try await withCoroutine {
        for quote in Coroutine.sequence(ticker.quotes) { table.append(quote) }
        try Coroutine.checkCancellation()
    }
    // snippet.end
    // snippet.LINES
    try await withCoroutine {
        try Coroutine.forEach(url.lines) { line in try parser.parse(line) }
    }
    // snippet.end
    print(table)
}

struct Ticker {
    let quotes = AsyncStream { continuation in
        continuation.yield("Well begun is half done.")
        continuation.finish()
    }
}

struct Page {
    let lines = AsyncThrowingStream<String, any Error> { continuation in
        continuation.yield("line")
        continuation.finish()
    }
}

struct Parser {
    func parse(_ line: String) throws { print(line) }
}

// snippet.QSORT
func sortInC(_ numbers: inout [Int32], by server: ComparisonServer) async throws {
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

actor ComparisonServer {
    static let shared = ComparisonServer()

    func compare(_ first: Int32, _ second: Int32) async throws -> Int32 { first < second ? -1 : first > second ? 1 : 0 }
}

func onAQueue(client: QuoteClient, id: String) {
    // snippet.QUEUE
    DispatchQueue.global().startCoroutine {
        let quote = try Coroutine.await { try await client.quote(id: id) }
        try DispatchQueue.main.await { print(quote) }
    }
    // snippet.end
}

// snippet.SCHEDULER
final class WorkList: CoroutineScheduler, Sendable {
    private let queue = DispatchQueue(label: "work")

    func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.queue.async(execute: task) }
}
// snippet.end

func uncaught() {
    // snippet.UNCAUGHT
    UncaughtErrors.handler = { error, started in print("\(error), in the coroutine started at \(started)") }
    // snippet.end
}

func deep(text: String) async throws {
    func parse(_ text: String) throws -> Int { text.count }
    // snippet.DEEP
    let tree = try await withCoroutine(stackSize: StackSize(kibibytes: 1024)) { try parse(text) }
    // snippet.end
    print(tree)
}

final class QuoteClient: Sendable {
    func quote(id: String) async throws -> String { "Well begun is half done." }
}

struct Contact: Sendable {
    let name: String
}

try await map(client: QuoteClient(), ids: ["1", "2"])
try await sort(files: [File(name: "long"), File(name: "s")])
try await callback(api: ContactStore())
try await deep(text: "deep")
try await sequences(ticker: Ticker(), url: Page(), parser: Parser())
try await sortThree()

func sortThree() async throws {
    var numbers: [Int32] = [3, 1, 2]
    try await sortInC(&numbers, by: .shared)
    print(numbers)
}
