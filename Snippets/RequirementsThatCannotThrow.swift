// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Wait in a requirement that cannot throw": `Comparable`, `Sequence`, a delegate's `Bool`.

import Coroutines
import Synchronization

// snippet.WRONG
struct WrongEntry: Comparable {
    let file: File

    static func < (left: Self, right: Self) -> Bool {
        (try? Coroutine.await { try await left.file.size() < right.file.size() }) ?? false
    }
}
// snippet.end

extension WrongEntry {
    static func == (left: Self, right: Self) -> Bool { left.file.name == right.file.name }
}

// snippet.FIRST
func sortedFirst(_ files: [File]) async throws -> [File] {
    var sized: [(size: Int, file: File)] = []
    for file in files { sized.append((try await file.size(), file)) }
    return sized.sorted { $0.size < $1.size }.map(\.file)
}
// snippet.end

// snippet.THROWING
func sortedByClosure(_ files: [File]) async throws -> [File] {
    try await withCoroutine {
        try files.sorted { left, right in try Coroutine.await { try await left.size() < right.size() } }
    }
}
// snippet.end

// snippet.ERRORS
/// Keeps the first error of code that cannot throw, for the code that has called it.
final class FirstError: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    /// The operation's value, or the given one if it fails, or if this is not in a coroutine.
    func value<Value: Sendable>(or other: Value, _ operation: () async throws -> Value) -> Value {
        do {
            return try Coroutine.await { try await operation() }
        } catch {
            self.keep(error)
            return other
        }
    }

    /// Throws the first error.
    @inline(never)
    func check() throws { if let error = self.error.withLock({ $0 }) { throw error } }

    // Not inlined: no function may use a `Mutex` before and after a wait, on Linux.
    @inline(never)
    private func keep(_ error: any Error) { self.error.withLock { first in if first == nil { first = error } } }
}
// snippet.end

// snippet.RIGHT
struct Entry: Comparable {
    let file: File
    let errors: FirstError

    static func < (left: Self, right: Self) -> Bool {
        left.errors.value(or: false) { try await left.file.size() < right.file.size() }
    }
}

func sortedEntries(_ files: [File]) async throws -> [File] {
    try await withCoroutine {
        let errors = FirstError()
        let sorted = files.map { Entry(file: $0, errors: errors) }.sorted()
        // Before the result is used: after an error its order means nothing.
        try errors.check()
        return sorted.map(\.file)
    }
}
// snippet.end

extension Entry {
    static func == (left: Self, right: Self) -> Bool { left.file.name == right.file.name }
}

// snippet.GUARD
extension File {
    /// For a delegate's method that must answer at once, and is called in a coroutine.
    func isLarge() -> Bool {
        precondition(Coroutine.isInsideCoroutine, "isLarge() waits: call it in withCoroutine")
        // An error, such as the server's, counts as a large file: it is then loaded later, and fails there.
        return (try? Coroutine.await { try await self.size() > 1000 }) ?? true
    }
}
// snippet.end

let files = [File(name: "long", bytes: 3000), File(name: "short", bytes: 10), File(name: "middle", bytes: 500)]

func names(_ files: [File]) -> String { files.map(\.name).joined(separator: " ") }

func outside(_ files: [File]) -> [File] { files.map { WrongEntry(file: $0) }.sorted().map(\.file) }

func outsideChecked(_ files: [File]) throws -> [File] {
    let errors = FirstError()
    let sorted = files.map { Entry(file: $0, errors: errors) }.sorted()
    try errors.check()
    return sorted.map(\.file)
}

print("wrong: \(names(outside(files)))")
print("first: \(names(try await sortedFirst(files)))")
print("closure: \(names(try await sortedByClosure(files)))")
print("entries: \(names(try await sortedEntries(files)))")
do { print(names(try outsideChecked(files))) } catch CoroutineError.outsideCoroutine { print("outside: an error") }
do {
    print(names(try await sortedEntries(files + [File(name: "", bytes: 1)])))
} catch is NoSuchFile {
    print("a file without a name: an error")
}
print(try await withCoroutine { files.map { $0.isLarge() } })

// snippet.hide
// MARK: - Stand-ins

struct NoSuchFile: Error {}

struct File: Sendable {
    let name: String
    let bytes: Int

    func size() async throws -> Int {
        guard !self.name.isEmpty else { throw NoSuchFile() }
        await Task.yield()
        return self.bytes
    }
}
