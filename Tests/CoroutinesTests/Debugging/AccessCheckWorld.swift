// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Synchronization
import Testing

/// A value whose methods wait in the middle.
struct Ledger: Sendable {
    var total = 0
    var lines = [1, 2, 3]

    @inline(never)
    mutating func add(at place: MisusePlace) throws {
        try Coroutine.await(fileID: place.fileID, line: place.line) { await Task.yield() }
        self.total += 1
    }

    @inline(never)
    func read(at place: MisusePlace) throws -> Int {
        try Coroutine.await(fileID: place.fileID, line: place.line) { await Task.yield() }
        return self.total
    }
}

/// A value that cannot be copied: to read it is an access for as long as that takes.
struct Token: ~Copyable {
    var number = 1

    @inline(never)
    borrowing func read(at place: MisusePlace) throws -> Int {
        try Coroutine.await(fileID: place.fileID, line: place.line) { await Task.yield() }
        return self.number
    }
}

protocol Reader {
    func read(at place: MisusePlace) throws -> Int
}

extension Ledger: Reader {}

nonisolated(unsafe) var globalLedger = Ledger()
@MainActor var mainLedger = Ledger()

final class Book {
    // Safe: written under the lock below; nobody reads it.
    nonisolated(unsafe) private static var last: Book?

    /// One that others could know of: the optimiser does not track accesses of an object that it has proved to be
    /// alone.
    @inline(never)
    static func known() -> Book {
        let book = Book()
        Self.keep(book)
        return book
    }

    @inline(never)
    private static func keep(_ book: Book) { Self.kept.withLock { _ in unsafe Self.last = book } }

    private static let kept = Mutex(())

    var ledger = Ledger()
    var token = Token()
    var reader: any Reader = Ledger()
}

actor Bank {
    var ledgers = ["k": Ledger()]
    var ledger = Ledger()
    var numbers = [3, 1, 2]

    func perform<Value>(_ work: (isolated Bank) throws -> sending Value) async throws -> sending Value {
        try await withCoroutine { try work(self) }
    }

    func inPlace(_ place: MisusePlace) async throws { try await withCoroutine { try self.ledger.add(at: place) } }

    func ofASubscript(_ place: MisusePlace) async throws {
        try await withCoroutine { try self.ledgers["k"]!.add(at: place) }
    }

    func sorting(_ place: MisusePlace) async throws {
        try await withCoroutine {
            try self.numbers.sort { first, second in
                try Coroutine.await(fileID: place.fileID, line: place.line) { await Task.yield() }
                return first < second
            }
        }
    }

    // MARK: What is right

    func copying(_ place: MisusePlace) async throws {
        try await withCoroutine {
            var copy = self.ledgers["k"] ?? Ledger()
            try copy.add(at: place)
            self.ledgers["k"] = copy
        }
    }

    func sending(_ place: MisusePlace) async throws -> Int {
        self.ledgers = try await withCoroutine(sending: self.ledgers) { ledgers in
            var ledgers = ledgers
            try ledgers["k"]?.add(at: place)
            return ledgers
        }
        return self.ledgers["k"]?.total ?? 0
    }

    func reading(_ place: MisusePlace) async throws {
        try await withCoroutine {
            _ = try self.ledger.read(at: place)
            _ = try self.ledgers["k"]?.read(at: place)
            _ = try self.numbers.map { _ in try Ledger().read(at: place) }
            for number in self.numbers { self.numbers.append(try Ledger().read(at: place) + number) }
        }
    }

    func accessesThatHaveEnded(_ place: MisusePlace) async throws {
        try await withCoroutine {
            self.ledgers["k"]?.total += 1
            self.numbers.sort()
            _ = try Ledger().read(at: place)
        }
    }
}
