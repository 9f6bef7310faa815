// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

/// Loops of coroutines over channels: what ends them, and who is told.
@Suite("Loops over a channel, in coroutines", .timeLimit(.minutes(10)))
struct ChannelLoopTests {
    /// A loop that throws.
    enum Loop: CaseIterable, Sendable {
        case whileLet
        case whileLetOfReceiver
        case whileLetOfMapped
        case forEach
        case forEachOfReceiver
        case forEachOfMapped
        case forEachOfASubscription

        func run(_ source: Source, _ body: (Int) throws -> Void) throws {
            let channel = source.channel
            switch self {
            case .whileLet: while let element = try channel.awaitNext() { try body(element) }
            case .whileLetOfReceiver:
                let receiver = channel.receiver
                while let element = try receiver.awaitNext() { try body(element) }
            case .whileLetOfMapped:
                let receiver = channel.map { $0 * 1 }
                while let element = try receiver.awaitNext() { try body(element) }
            case .forEach: try Coroutine.forEach(channel, body)
            case .forEachOfReceiver: try Coroutine.forEach(channel.receiver) { try body($0) }
            case .forEachOfMapped: try Coroutine.forEach(channel.receiver.map { $0 * 1 }) { try body($0) }
            case .forEachOfASubscription: try Coroutine.forEach(source.subscription) { try body($0) }
            }
        }
    }

    /// A channel, and a broadcast with a subscriber, which get the same.
    struct Source: Sendable {
        let channel = CoChannel<Int>()
        let broadcast = CoBroadcast(of: Int.self)
        let subscription: CoChannel<Int>.Receiver

        init() { self.subscription = self.broadcast.subscribe() }

        func send(_ range: ClosedRange<Int>) {
            for number in range {
                self.channel.offer(number)
                self.broadcast.offer(number)
            }
        }

        func close() {
            self.channel.close()
            self.broadcast.close()
        }

        func count(_ loop: Loop) -> Int {
            loop == .forEachOfASubscription ? self.subscription.count : self.channel.count
        }
    }

    /// Where a coroutine runs.
    enum Home: CaseIterable, Sendable {
        case task
        case scheduler

        func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
            switch self {
            case .task: try await Task { try await withCoroutine { try body() } }.value
            case .scheduler: try await SerialScheduler().coroutineFuture(body).value
            }
        }
    }

    @Test(arguments: Loop.allCases, Home.allCases)
    func `gets all, and ends with the channel`(loop: Loop, home: Home) async throws {
        let source = Source()
        source.send(1...2)
        let received = Collected<Int>()
        let loopEnds = CoFuture { try await home.run { try loop.run(source) { received.append($0) } } }
        await until { received.all == [1, 2] }
        source.send(3...3)
        await until { received.all == [1, 2, 3] }
        source.close()
        try await loopEnds.value
    }

    @Test(arguments: Loop.allCases.filter { $0 != .forEachOfASubscription }, Home.allCases)
    func `throws the sender's error`(loop: Loop, home: Home) async throws {
        let (source, received) = (Source(), Collected<Int>())
        source.send(1...2)
        source.channel.close(throwing: Failure(7))
        await #expect(throws: Failure(7)) { try await home.run { try loop.run(source) { received.append($0) } } }
        #expect(received.all == [1, 2])
    }

    @Test(arguments: Loop.allCases, Home.allCases)
    func `throws what its body throws`(loop: Loop, home: Home) async throws {
        let source = Source()
        source.send(1...2)
        await #expect(throws: Failure(8)) { try await home.run { try loop.run(source) { _ in throw Failure(8) } } }
        #expect(source.count(loop) == 1)
    }

    /// However fast the senders are.
    @Test(arguments: Loop.allCases)
    func `ends when the task is cancelled`(loop: Loop) async throws {
        let (source, received) = (Source(), Collected<Int>())
        source.send(1...3)
        let task = Task {
            try await withCoroutine {
                try loop.run(source) { element in
                    received.append(element)
                    withUnsafeCurrentTask { unsafe $0?.cancel() }
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(received.all == [1])
        #expect(source.count(loop) == 2, "the others stay")
    }

    @Test(arguments: Loop.allCases)
    func `ends when its coroutine is cancelled`(loop: Loop) throws {
        let (source, received, errors) = (Source(), Collected<Int>(), Collected<any Error>())
        source.send(1...3)
        let (scheduler, handle) = (ManualScheduler(), Collected<CoroutineHandle>())
        handle.append(
            scheduler.startCoroutine {
                do {
                    try loop.run(source) { element in
                        received.append(element)
                        for coroutine in handle.all { coroutine.cancel() }
                    }
                } catch { errors.append(error) }
            }
        )
        scheduler.run()
        #expect(received.all == [1])
        #expect(errors.all.first is CancellationError)
        #expect(source.count(loop) == 2)
    }

    /// Nothing was lost to the cancellation.
    @Test func `if all is received, the channel's own end comes`() async throws {
        let channel = CoChannel<Int>()
        channel.offer(1)
        let task = Task {
            try await withCoroutine {
                while try channel.awaitNext() != nil {
                    withUnsafeCurrentTask { unsafe $0?.cancel() }
                    channel.close(throwing: Failure(9))
                }
            }
        }
        await #expect(throws: Failure(9)) { try await task.value }
    }

    /// What a scheduler drops is not lost.
    @Test(arguments: [Loop.forEach, .forEachOfReceiver])
    func `an element for a coroutine that is dropped`(loop: Loop) {
        let (source, scheduler, undelivered) = (Source(), ManualScheduler(), Collected<Int>())
        let channel = CoChannel<Int>(buffering: .rendezvous, onUndelivered: { undelivered.append($0) })
        scheduler.startCoroutine {
            if loop == .forEach { try Coroutine.forEach(channel) { _ in } }
            if loop == .forEachOfReceiver { try Coroutine.forEach(channel.receiver) { _ in } }
        }
        scheduler.run()
        #expect(channel.offer(1))
        scheduler.dropOne()
        #expect(undelivered.all == [1])
        withExtendedLifetime(source) {}
    }

    @Test func `outside a coroutine, only what is there`() throws {
        let channel = CoChannel<Int>()
        channel.offer(1)
        var received: [Int] = []
        #expect(throws: CoroutineError.outsideCoroutine) { try Coroutine.forEach(channel) { received.append($0) } }
        channel.offer(2)
        channel.close()
        try Coroutine.forEach(channel) { received.append($0) }
        #expect(received == [1, 2])
        #expect(try channel.awaitNext() == nil)
    }
}

/// A plain `for` cannot throw: its iterator keeps the error.
@Suite("The error of an iterator of a channel", .serialized, .timeLimit(.minutes(10)))
struct ChannelIteratorErrorTests {
    @Test(arguments: ChannelLoopTests.Home.allCases)
    func `is kept after a loop`(home: ChannelLoopTests.Home) async throws {
        let channel = CoChannel<Int>()
        channel.offer(1)
        channel.close(throwing: Failure(4))
        let received = try await home.run { () -> [Int] in
            let elements = channel.map { $0 * 1 }.makeIterator()
            #expect(elements.error == nil)
            let all = Array(elements)
            #expect(elements.error as? Failure == Failure(4))
            return all
        }
        #expect(received == [1])
    }

    @Test func `is none at an end without one`() {
        let channel = CoChannel<Int>()
        let elements = channel.makeIterator()
        channel.close()
        for _ in elements {}
        #expect(elements.error == nil)
    }

    @Test func `says why a loop was cut short`() async throws {
        let channel = CoChannel<Int>()
        channel.offer(1)
        let outside = channel.makeIterator()
        #expect(Array(outside) == [1])
        #expect(outside.error as? CoroutineError == .outsideCoroutine)
        channel.offer(2)
        let task = Task {
            try await withCoroutine {
                withUnsafeCurrentTask { unsafe $0?.cancel() }
                let elements = channel.makeIterator()
                #expect(Array(elements) == [])
                #expect(elements.error is CancellationError)
            }
        }
        try await task.value
        #expect(channel.count == 1)
    }

    /// Who reads none hears of the sender's errors, and of no others.
    @Test func `that nothing has read is uncaught`() {
        let errors = Collected<(number: Int, made: CallSite)>()
        BridgeDiagnostics.uncaughtErrorHandler = { error, made in
            if let error = error as? Failure { errors.append((error.number, made)) }
            #expect(!(error is CoChannelError))
        }
        defer { BridgeDiagnostics.uncaughtErrorHandler = nil }
        let channel = CoChannel<Int>()
        let made = CallSite(line: #line - 1)
        channel.close(throwing: Failure(31))
        for _ in channel.makeIterator() {}
        for _ in channel.map({ $0 * 1 }).makeIterator() {}
        let elements = channel.makeIterator()
        for _ in elements {}
        #expect(errors.all.map(\.number).filter { $0 == 31 }.count == 2, "the last iterator is still there")
        #expect(errors.all.filter { $0.number == 31 }.allSatisfy { $0.made == made })
        let read = channel.makeIterator()
        for _ in read {}
        #expect(read.error as? Failure == Failure(31))
        withExtendedLifetime(elements) {}
        // The end of loops before channels could fail.
        let dropped = CoChannel<Int>().receiver
        for _ in dropped.makeIterator() {}
    }

    @Test func `without a handler is written to standard error`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let channel = CoChannel<Int>()
            channel.close(throwing: Failure(32))
            for _ in channel.makeIterator() {}
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("ChannelLoopTests.swift:"))
        #expect(text.contains("ended with an error that nothing read: Failure(number: 32)"))
        #expect(text.contains("awaitNext()"))
    }
}
