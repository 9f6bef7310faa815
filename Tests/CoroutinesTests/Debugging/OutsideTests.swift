// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

/// A wait outside a coroutine throws, which a `try?` hides: so it is reported as well.
@Suite("A wait outside a coroutine", .timeLimit(.minutes(10)))
struct OutsideTests {
    private let place = MisusePlace()

    /// A public function that waits, called for something that is not there yet.
    struct Wait: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Gets the place that the report is to name: that of the call, or that where the channel or lock was made.
        let call: @Sendable (MisusePlace) throws -> Void

        init(_ description: String, _ call: @escaping @Sendable (MisusePlace) throws -> Void) {
            self.testDescription = description
            self.call = call
        }
    }

    @Test(arguments: Wait.all)
    func `is reported once for each place, and throws each time`(wait: Wait) async {
        func run(_ place: MisusePlace) {
            #expect(throws: CoroutineError.outsideCoroutine) { try wait.call(place) }
        }
        run(self.place)
        run(self.place)
        #expect(self.place.reports.map(\.kind) == [.waitedOutsideCoroutine])
        let other = MisusePlace()
        run(other)
        #expect(other.reports.map(\.kind) == [.waitedOutsideCoroutine])
    }

    @Test func `says what to do`() throws {
        try? Wait.operation.call(self.place)
        let report = try #require(self.place.reports.first)
        #expect(
            "\(report)".hasPrefix(
                "the wait for an operation at \(self.place.fileID):\(self.place.line): waited outside a coroutine. "
            )
        )
        #expect(report.advice.contains("withCoroutine"))
    }

    /// Numbers that are compared by a server.
    private struct Entry: Comparable {
        let number: Int
        let place: MisusePlace

        static func < (left: Self, right: Self) -> Bool {
            let (place, left, right) = (left.place, left.number, right.number)
            return
                (try? Coroutine.await(fileID: place.fileID, line: place.line) {
                    await Task.yield()
                    return left < right
                }) ?? false
        }

        static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    }

    @Test func `in a requirement that cannot throw is heard of`() async throws {
        let numbers = [3, 1, 2]
        func sorted(_ place: MisusePlace) -> [Int] {
            numbers.map { Entry(number: $0, place: place) }.sorted().map(\.number)
        }
        #expect(sorted(self.place) == numbers)
        #expect(self.place.reports.map(\.kind) == [.waitedOutsideCoroutine])
        let inside = MisusePlace()
        #expect(try await withCoroutine { sorted(inside) } == [1, 2, 3])
        #expect(inside.reports.isEmpty)
    }

    /// The coroutine is not that of the task.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `in a task on a coroutine's stack is one`() async throws {
        let place = self.place
        try await withCoroutine {
            Task.immediate { #expect(throws: CoroutineError.outsideCoroutine) { try Wait.operation.call(place) } }
            #expect(place.reports.map(\.kind) == [.waitedOutsideCoroutine])
        }
    }

    // MARK: No mistakes

    @Test(arguments: Wait.possible)
    func `is none if nothing has to be waited for, or anything may ask`(wait: Wait) throws {
        try wait.call(self.place)
        #expect(self.place.reports.isEmpty)
    }

    @Test func `is none of blockingAwait`() async throws {
        let place = self.place
        @Sendable func wait() throws -> Int { try blockingAwait(fileID: place.fileID, line: place.line) { 1 } }
        #expect(throws: CoroutineError.wouldBlockTask) { try wait() }
        #expect(try await onThread { try wait() } == 1)
        #expect(place.reports.isEmpty)
    }

    @Test(arguments: Wait.all)
    func `is none in a cancelled coroutine`(wait: Wait) async throws {
        let place = self.place
        let task = Task {
            try await withCoroutine {
                withUnsafeCurrentTask { unsafe $0?.cancel() }
                try? wait.call(place)
            }
        }
        try await task.value
        #expect(place.reports.isEmpty)
    }
}

extension OutsideTests.Wait {
    static let all = Self.coroutines + Self.futures + Self.channels + Self.locks

    static let operation = Self("an operation") { place in
        try Coroutine.await(fileID: place.fileID, line: place.line) { await Task.yield() }
    }

    private static let coroutines: [Self] = [
        Self.operation,
        Self("withScope") { place in try Coroutine.withScope(fileID: place.fileID, line: place.line) { _ in } },
        Self("an operation with a resource") { place in
            try Coroutine.await(onUndelivered: { _ in }, fileID: place.fileID, line: place.line) { await Task.yield() }
        },
        Self("a turn") { place in try Coroutine.yield(fileID: place.fileID, line: place.line) },
        Self("a delay") { place in try Coroutine.delay(.seconds(3600), fileID: place.fileID, line: place.line) },
        Self("a callback") { place in
            _ = try Coroutine.await(of: Int.self, fileID: place.fileID, line: place.line) { $0.resume(returning: 1) }
        },
        Self("a callback without a value") { place in
            try Coroutine.await(fileID: place.fileID, line: place.line) { (done: @escaping @Sendable () -> Void) in
                done()
            }
        },
        Self("a callback with a value") { place in
            let _: Int = try Coroutine.await(fileID: place.fileID, line: place.line) { done in done(1) }
        },
        Self("a callback with two values") { place in
            let _: (Int, Int) = try Coroutine.await(fileID: place.fileID, line: place.line) { done in done(1, 2) }
        },
        Self("a callback with three values") { place in
            let _: (Int, Int, Int) = try Coroutine.await(fileID: place.fileID, line: place.line) { done in
                done(1, 2, 3)
            }
        },
        Self("a callback with four values") { place in
            let _: (Int, Int, Int, Int) = try Coroutine.await(fileID: place.fileID, line: place.line) { done in
                done(1, 2, 3, 4)
            }
        },
        Self("forEach over a sequence") { place in
            try Coroutine.forEach(AsyncStream<Int> { _ in }, fileID: place.fileID, line: place.line) { _ in }
        },
        Self("a closure on a scheduler") { place in
            try DispatchQueue.global().await(fileID: place.fileID, line: place.line) {}
        },
    ]

    private static let futures: [Self] = [
        Self("a future") { place in
            try Self.withPending { _ = try $0.await(fileID: place.fileID, line: place.line) }
        },
        Self("a future, with a timeout") { place in
            try Self.withPending { _ = try $0.await(timeout: .zero, fileID: place.fileID, line: place.line) }
        },
        Self("select") { place in try select(.otherwise {}, fileID: place.fileID, line: place.line) },
        Self("select of an array") { place in try select([.otherwise {}], fileID: place.fileID, line: place.line) },
        Self("SelectBranch.first") { place in
            try SelectBranch.first(.otherwise {}, fileID: place.fileID, line: place.line)
        },
    ]

    private static let channels: [Self] = [
        Self("awaitReceive") { place in _ = try Self.channel(place).awaitReceive() },
        Self("awaitReceive of a receiver") { place in
            let channel = Self.channel(place)
            _ = try channel.receiver.awaitReceive()
        },
        Self("awaitSend") { place in try Self.channel(place).awaitSend(1) },
        Self("awaitSend of a sender") { place in
            let channel = Self.channel(place)
            try channel.sender.awaitSend(1)
        },
        Self("awaitNext") { place in _ = try Self.channel(place).awaitNext() },
        Self("awaitNext of a receiver") { place in
            let channel = Self.channel(place)
            _ = try channel.receiver.awaitNext()
        },
        Self("awaitNext of a receiver that maps") { place in
            let channel = Self.channel(place)
            _ = try channel.receiver.map { $0 + 1 }.awaitNext()
        },
        Self("forEach over a channel") { place in try Coroutine.forEach(Self.channel(place)) { _ in } },
        Self("forEach over a receiver") { place in
            let channel = Self.channel(place)
            try Coroutine.forEach(channel.receiver) { _ in }
        },
        Self("awaitSend of a broadcast") { place in
            try CoBroadcast<Int>(fileID: place.fileID, line: place.line).awaitSend(1)
        },
    ]

    private static let locks: [Self] = [
        Self("a permit") { place in try Self.semaphore(place).awaitAcquire() },
        Self("a permit, with a timeout") { place in try Self.semaphore(place).awaitAcquire(timeout: .zero) },
        Self("code with a permit") { place in try Self.semaphore(place).awaitPermit {} },
        Self("code with a permit, with a timeout") { place in
            try Self.semaphore(place).awaitPermit(timeout: .zero) {}
        },
        Self("a mutex") { place in try CoMutex(0, fileID: place.fileID, line: place.line).awaitLock { _ in } },
        Self("a mutex, with a timeout") { place in
            try CoMutex(0, fileID: place.fileID, line: place.line).awaitLock(timeout: .zero) { _ in }
        },
    ]

    /// What may be done everywhere.
    static let possible: [Self] = [
        Self("isInsideCoroutine") { place in
            if Coroutine.isInsideCoroutine { try Self.operation.call(place) }
        },
        Self("checkCancellation") { _ in try Coroutine.checkCancellation() },
        Self("a future that has its result") { place in
            let promise = CoPromise<Int>()
            promise.success(1)
            _ = try promise.await(fileID: place.fileID, line: place.line)
            _ = try promise.await(timeout: .zero, fileID: place.fileID, line: place.line)
        },
        Self("a channel with room, then with an element") { place in
            let channel = CoChannel<Int>(buffering: .unbounded, fileID: place.fileID, line: place.line)
            try channel.awaitSend(1)
            _ = try channel.awaitReceive()
            try channel.awaitSend(2)
            _ = try channel.awaitNext()
        },
        Self("a plain loop over a channel") { place in
            let channel = CoChannel<Int>(buffering: .unbounded, fileID: place.fileID, line: place.line)
            channel.offer(1)
            #expect(Array(channel.makeIterator()) == [1])
            channel.offer(2)
            #expect(Array(channel.receiver.map { $0 + 1 }.makeIterator()) == [3])
        },
    ]

    private static func channel(_ place: MisusePlace) -> CoChannel<Int> {
        CoChannel<Int>(buffering: .rendezvous, fileID: place.fileID, line: place.line)
    }

    private static func semaphore(_ place: MisusePlace) -> CoSemaphore {
        CoSemaphore(permits: 1, fileID: place.fileID, line: place.line)
    }

    /// Gives a future that has no result for as long as the body runs.
    private static func withPending(_ body: (CoPromise<Int>) throws -> Void) rethrows {
        let promise = CoPromise<Int>()
        defer { promise.success(0) }
        try body(promise)
    }
}
