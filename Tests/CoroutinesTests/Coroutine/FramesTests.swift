// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import CFrames
import Coroutines
import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// What lies on the stack between a coroutine's body and its wait: frames of C, of many functions, of much memory.
@Suite("Frames between a coroutine and its wait", .timeLimit(.minutes(10)))
struct FramesTests {
    struct Failure: Error, Equatable { let depth: Int }

    // MARK: C

    /// Awaits where C has given it no way to throw: keeps the error for later.
    final class Visitor {
        var error: (any Error)?
        var visited: [Int32] = []

        func visit(_ index: Int32) -> Int64 {
            do {
                self.visited.append(index)
                return try Coroutine.await {
                    await Task.yield()
                    return Int64(index)
                }
            } catch {
                self.error = error
                return 0
            }
        }

        func sum(depth: Int32, count: Int32) throws -> Int64 {
            let sum = cframes_sum(
                depth,
                count,
                { index, context in
                    guard let context else { return 0 }
                    return Unmanaged<Visitor>.fromOpaque(context).takeUnretainedValue().visit(index)
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
            if let error = self.error { throw error }
            return sum
        }
    }

    @Test(arguments: [1, 10, 300] as [Int32])
    func `callback of a function of C`(depth: Int32) async throws {
        let (sum, visited) = try await withCoroutine {
            let visitor = Visitor()
            return (try visitor.sum(depth: depth, count: 100), visitor.visited)
        }
        #expect(sum == 4950)
        #expect(visited == Array(0..<100))
    }

    @Test func `callback on two threads`() async throws {
        let threads = ThreadPair()
        let tasks = (1...4).map { count in
            Task(executorPreference: threads) {
                try await withCoroutine {
                    let floats = Self.floats(count: Int32(count)) { try? ExclusivityTests.hop(on: threads) }
                    return (try Visitor().sum(depth: 20, count: 100), floats)
                }
            }
        }
        for (index, task) in tasks.enumerated() {
            let (sum, floats) = try await task.value
            #expect(sum == 4950)
            #expect(floats == Self.floats(count: Int32(index + 1)) {})
        }
    }

    private static func floats(count: Int32, _ visit: () -> Void) -> Double {
        withoutActuallyEscaping(visit) { visit in
            withUnsafePointer(to: visit) { visit in
                cframes_sum_floats(
                    count,
                    { _, context in context?.load(as: (() -> Void).self)() },
                    UnsafeMutableRawPointer(mutating: visit)
                )
            }
        }
    }

    /// The comparator of `qsort`, which takes no context and cannot throw.
    @Test func `comparator of qsort`() async throws {
        let numbers = try await withCoroutine {
            var numbers = (0..<64).map { Int32(($0 * 37) % 64) }
            let count = numbers.count
            qsort(&numbers, count, MemoryLayout<Int32>.size) { left, right in
                guard let left = left?.load(as: Int32.self), let right = right?.load(as: Int32.self) else { return 0 }
                let difference = try? Coroutine.await {
                    await Task.yield()
                    return left - right
                }
                return difference ?? 0
            }
            return numbers
        }
        #expect(numbers == Array(0..<64))
    }

    /// A delegate that the XML parser, libxml2, calls for each element, and that asks an actor about it.
    final class Titles: NSObject, XMLParserDelegate {
        actor Catalogue {
            func title(_ number: Int) async -> String {
                await Task.yield()
                return "title \(number)"
            }
        }

        private let catalogue = Catalogue()
        var titles: [String] = []
        var error: (any Error)?

        func parser(
            _ parser: XMLParser,
            didStartElement elementName: String,
            namespaceURI: String?,
            qualifiedName qName: String?,
            attributes: [String: String]
        ) {
            guard let number = attributes["id"].flatMap({ Int($0) }) else { return }
            do {
                self.titles.append(try Coroutine.await { await self.catalogue.title(number) })
            } catch {
                self.error = error
                parser.abortParsing()
            }
        }
    }

    private static var books: Data {
        Data(("<books>" + (0..<50).map { "<book id='\($0)'/>" }.joined() + "</books>").utf8)
    }

    /// On one thread: on Linux, a parser that begins on one and ends on another stays in the dictionary of the first.
    @Test func `delegate of an XMLParser`() async throws {
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) {
            try await withCoroutine {
                let (parser, delegate) = (XMLParser(data: Self.books), Titles())
                parser.delegate = delegate
                return (parser.parse(), delegate.titles)
            }
        }
        let (isParsed, titles) = try await executor.run(untilEndOf: task)
        #expect(isParsed)
        #expect(titles == (0..<50).map { "title \($0)" })
    }

    @Test func `cancelled within an XMLParser`() async {
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) {
            try await withCoroutine {
                let (parser, delegate) = (XMLParser(data: Self.books), Titles())
                parser.delegate = delegate
                #expect(!parser.parse())
                if let error = delegate.error { throw error }
            }
        }
        executor.runOne()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await executor.run(untilEndOf: task) }
    }

    /// Cancelled within the frames of C: the code between notes the error, and C returns.
    @Test func `cancelled within C`() async throws {
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) {
            try await withCoroutine { try Visitor().sum(depth: 10, count: 1000) }
        }
        executor.runOne()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await executor.run(untilEndOf: task) }
    }

    // MARK: Swift

    @Test func `synchronous functions of the library`() async throws {
        let result = try await withCoroutine {
            func later<Value: Sendable>(_ value: Value) throws -> Value {
                try Coroutine.await {
                    await Task.yield()
                    return value
                }
            }
            let sorted = try [3, 1, 2].sorted { try later($0 < $1) }
            let grouped = try Dictionary(grouping: 1...6) { try later($0 % 2) }
            let text = try ["a", "b"].reduce(into: "") { text, next in text += try later(next) }
            let first = try [1, 2, 3].first { try later($0 > 1) }
            return (sorted, grouped[0], text, first)
        }
        #expect(result == ([1, 2, 3], [2, 4, 6], "ab", 2))
    }

    /// A sequence whose iteration waits, below the library's own frames.
    @Test func `lazy sequences`() async throws {
        let result = try await withCoroutine {
            let numbers = (1...20).lazy.map { number in (try? Coroutine.await { await Self.double(number) }) ?? 0 }
            return Array(numbers.filter { $0 % 3 == 0 }.prefix(3))
        }
        #expect(result == [6, 12, 18])
    }

    static func double(_ number: Int) async -> Int {
        await Task.yield()
        return 2 * number
    }

    @Test(arguments: [1, 10, 500])
    func `errors through many frames`(depth: Int) async throws {
        @inline(never)
        func descend(_ level: Int, _ unwound: inout [Int]) throws -> Int {
            defer { unwound.append(level) }
            if level == depth {
                return try Coroutine.await {
                    await Task.yield()
                    throw Failure(depth: depth)
                }
            }
            return try [level + 1].map { try descend($0, &unwound) }.reduce(1, +)
        }
        let unwound = try await withCoroutine(stackSize: StackSize(kibibytes: 1024)) {
            var unwound: [Int] = []
            #expect(throws: Failure(depth: depth)) { _ = try descend(1, &unwound) }
            try Coroutine.yield()
            return unwound
        }
        #expect(unwound == (1...depth).reversed())
    }

    /// Each frame has a checksum of its own, and checks it when the frames above it have suspended and returned.
    @Test(arguments: [(16, 2), (256, 100), (1024, 500)])
    func `deep recursion`(kibibytes: Int, depth: Int) async throws {
        @inline(never)
        func descend(_ level: Int) throws -> Int {
            var bytes: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, UInt64(level))
            return try withUnsafeMutableBytes(of: &bytes) { bytes in
                if level == 0 {
                    try Coroutine.yield()
                    return 0
                }
                let below = try descend(level - 1)
                if level.isMultiple(of: 16) { try Coroutine.yield() }
                return below + Int(bytes[24]) + Int(bytes[25]) << 8 - level + Int(bytes[0])
            }
        }
        let sum = try await withCoroutine(stackSize: StackSize(kibibytes: kibibytes)) { try descend(depth) }
        #expect(sum == depth)
    }

    /// Memory that the library takes from the stack stays where it is while the coroutine is away.
    @Test(arguments: [16, 1024, 100_000])
    func `temporary allocations`(count: Int) async throws {
        let threads = ThreadPair()
        let task = Task(executorPreference: threads) {
            try await withCoroutine {
                try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { bytes in
                    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index * 7) }
                    let address = bytes.baseAddress
                    for _ in 0..<10 {
                        try ExclusivityTests.hop(on: threads)
                        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { others in
                            others.update(repeating: 0xFF)
                            try ExclusivityTests.hop(on: threads)
                        }
                    }
                    return bytes.baseAddress == address
                        && bytes.indices.allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0 * 7) }
                }
            }
        }
        #expect(try await task.value)
    }
}
