// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Dispatch
import Foundation
import Synchronization
import Testing

/// Code of another task that runs on the stack of a generator's body: it is no part of the body, and may not leave it.
///
/// In processes of their own, whose standard error is read: to leave the body from there corrupts memory.
@Suite("Another task on a generator's stack", .timeLimit(.minutes(10)))
struct GeneratorOtherTaskTests {
    private typealias Body = (Generator<Int>.Yielder) throws -> Void

    private enum Kind: CaseIterable {
        case generator
        case throwing
        case asynchronous

        /// The elements of a generator of this kind; the task is suspended after each of them.
        nonisolated(nonsending) func elements(of body: @escaping Body) async throws -> [Int] {
            var elements: [Int] = []
            switch self {
            case .generator:
                for number in Generator(body) {
                    elements.append(number)
                    await Task.yield()
                }
            case .throwing:
                var iterator = ThrowingGenerator(body).makeIterator()
                while let number = try iterator.next() {
                    elements.append(number)
                    await Task.yield()
                }
            case .asynchronous:
                for try await number in AsyncGenerator(body) {
                    elements.append(number)
                    await Task.yield()
                }
            }
            return elements
        }

        /// Breaks off after the first element.
        nonisolated(nonsending) func breakOff(_ body: @escaping Body) async throws {
            switch self {
            case .generator: for _ in Generator(body) { break }
            case .throwing:
                var iterator = Optional(ThrowingGenerator(body).makeIterator())
                _ = try iterator?.next()
                iterator = nil
            case .asynchronous: for try await _ in AsyncGenerator(body) { break }
            }
        }
    }

    /// Expects that this many stray elements were reported.
    private func expectReports(_ count: Int, in result: ExitTest.Result?) throws {
        let lines = String(decoding: try #require(result).standardErrorContent, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == count)
        for line in lines { #expect(line.contains("was yielded outside the generator's body")) }
    }

    /// - Returns: Whether the element was refused.
    private static func isRefused(_ element: Int, by yield: Generator<Int>.Yielder) -> Bool {
        do { try yield(element) } catch { return true }
        return false
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `a yield of an immediate task is refused`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { @MainActor in
            for kind in Kind.allCases {
                var refusals = 0
                let elements = try await kind.elements { yield in
                    try yield(0)
                    Task.immediate { if Self.isRefused(1, by: yield) { refusals += 1 } }
                    try yield(2)
                }
                precondition(elements == [0, 2] && refusals == 1, "\(kind): \(elements), \(refusals)")
            }
        }
        try self.expectReports(3, in: result)
    }

    /// Such a coroutine belongs to no task, and so the body belongs to none.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `a yield of an immediate task is refused in a coroutine on a queue`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            // Before the first element, and before the other task's: the body, and so the coroutine, waits.
            for (line, waits) in zip(UInt(1)..., [[], ["first"], ["second"], ["first", "second"]]) {
                let log = EventLog()
                await DispatchQueue(label: "queue").startCoroutine {
                    let generator = Generator(of: Int.self, line: line) { yield in
                        if waits.contains("first") { try Coroutine.await { await Task.yield() } }
                        try yield(0)
                        if waits.contains("second") { try Coroutine.await { await Task.yield() } }
                        let stray = Stray(yield: yield)
                        Task.immediate { if Self.isRefused(1, by: stray.yield) { log.record("refused") } }
                        try yield(2)
                    }
                    for number in generator { log.record("\(number)") }
                }.ended()
                precondition(log.events == ["0", "refused", "2"], "\(waits): \(log.events)")
            }
        }
        // Each place once.
        try self.expectReports(4, in: result)
    }

    /// Such yields do not count as the body's own, which is given up after many.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `an immediate task does not give up a body that is unwound`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { @MainActor in
            for kind in Kind.allCases {
                var (refusals, ends) = (0, 0)
                try await kind.breakOff { yield in
                    defer {
                        Task.immediate { for _ in 0..<1500 where Self.isRefused(1, by: yield) { refusals += 1 } }
                        ends += 1
                    }
                    try yield(0)
                }
                await Task.yield()
                precondition((refusals, ends) == (1500, 1), "\(kind): \(refusals), \(ends)")
            }
        }
        // Each place once.
        try self.expectReports(3, in: result)
    }

    /// A thread that waits so runs the operation as a task, on the stack that it is on.
    @Test func `a yield of an operation for which the body blocks its thread is refused`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let elements: [Int] = await withCheckedContinuation { continuation in
                Thread {
                    let generator = Generator { yield in
                        try yield(0)
                        let isRefused = try blockingAwait { Self.isRefused(1, by: yield) }
                        precondition(isRefused)
                        try yield(2)
                    }
                    continuation.resume(returning: Array(generator))
                }.start()
            }
            precondition(elements == [0, 2], "\(elements)")
        }
        try self.expectReports(1, in: result)
    }

    /// A run loop that may be turned by what it runs.
    private final class Loop: SerialExecutor {
        private let jobs = Mutex<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            self.jobs.withLock { $0.append(job) }
        }

        func turn() {
            let jobs = self.jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            for job in jobs { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    /// An actor on a run loop that the body of a generator turns.
    private actor Looping {
        private let loop: Loop
        private var yield: Generator<Int>.Yielder?

        nonisolated var unownedExecutor: UnownedSerialExecutor { self.loop.asUnownedSerialExecutor() }

        init(on loop: Loop) { self.loop = loop }

        func elements(_ kind: Kind) async throws -> [Int] {
            try await kind.elements { yield in
                try yield(0)
                self.yield = yield
                Task { if let yield = self.yield, isRefused(1, by: yield) { self.yield = nil } }
                while self.yield != nil { self.loop.turn() }
                try yield(2)
            }
        }
    }

    @Test func `a yield of a job that the body runs is refused`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for kind in Kind.allCases {
                let (loop, log) = (Loop(), EventLog())
                let actor = Looping(on: loop)
                let elements = Task {
                    defer { log.record("ended") }
                    return try await actor.elements(kind)
                }
                while log.events.isEmpty {
                    loop.turn()
                    await Task.yield()
                }
                let taken = try await elements.value
                precondition(taken == [0, 2], "\(kind): \(taken)")
            }
        }
        try self.expectReports(3, in: result)
    }

    // MARK: What is the body's code all the same

    /// An actor may keep an iterator, and each call of it come from another task.
    private actor Numbers {
        private var iterator = Generator { yield in
            func nested(_ number: Int) throws { try yield(number) }
            try yield(0)
            for number in 1..<10 { try nested(number) }
        }.makeIterator()

        func next() -> Int? { self.iterator.next() }
    }

    @Test func `a body goes on in another task with each element`() async {
        let numbers = Numbers()
        var elements: [Int] = []
        while let number = await Task(operation: { await numbers.next() }).value { elements.append(number) }
        #expect(elements == Array(0..<10))
    }

    /// Each step of such a coroutine is a task of its own, in the middle of which the body goes on.
    @Test func `a body goes on in another task after a wait`() async throws {
        let log = EventLog()
        let coroutine = SerialExecutorScheduler(ExecutorTests.QueueExecutor()).startCoroutine {
            let inner = Generator { yield in
                for number in 0..<100 {
                    if number.isMultiple(of: 3) { try Coroutine.yield() }
                    try yield(number)
                }
            }
            let outer = Generator { yield in
                for number in inner {
                    if number.isMultiple(of: 5) { try Coroutine.await { await Task.yield() } }
                    try yield(number)
                }
            }
            for number in outer { log.record("\(number)") }
        }
        await coroutine.ended()
        #expect(log.events == (0..<100).map(String.init))
    }

    /// What the other task iterates over is its own, on whatever stack.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @MainActor @Test func `another task iterates on the stack of a body`() async throws {
        var inner: [Int] = []
        let generator = Generator { yield in
            try yield(0)
            Task.immediate { for number in Generator({ yield in try yield(1) }) { inner.append(number) } }
            try yield(2)
        }
        var elements: [Int] = []
        for number in generator {
            elements.append(number)
            await Task.yield()
        }
        #expect(elements == [0, 2])
        #expect(inner == [1])
    }

    @MainActor @Test func `code on the body's actor is the body's`() async throws {
        let generator = Generator { yield in try MainActor.assumeIsolated { for number in 0..<3 { try yield(number) } }
        }
        #expect(Array(generator) == [0, 1, 2])
    }
}

/// What a task gets in a closure, where Swift 6.2 does not take a `nonisolated(unsafe)` constant.
private struct Stray: @unchecked Sendable {
    // Safe: the task uses it at once, on this thread.
    let yield: Generator<Int>.Yielder
}
