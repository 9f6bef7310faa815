// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization
import Testing

@Suite("A timeout", .timeLimit(.minutes(10)))
struct TimeoutTests {
    static let modes: [CancellationMode] = [.prompt, .cooperative]

    /// A wait that has parked and whose timer sleeps.
    private func parked(
        _ mode: CancellationMode = .prompt,
        on clock: CountedClock,
        start: @escaping @Sendable (Callback<Int, any Error>) throws -> Void = { _ in }
    ) async -> Exchange<Int> {
        let timeout = BridgeTimeout.after(.seconds(5), on: clock)
        let exchange = Exchange<Int>(Int.self, .init(cancellation: mode, timeout: timeout), start: start)
        exchange.wait.turn()
        await clock.hasSleeper()
        return exchange
    }

    @Test(arguments: modes)
    func `ends the wait with a fault that names the place, and stops the work`(_ mode: CancellationMode) async {
        let (clock, log) = (CountedClock(), Log<Int>())
        let exchange = await self.parked(mode, on: clock) { callback in callback.onCancel { log(1) } }
        clock.advance(by: .seconds(5))
        await exchange.wait.turnWhenWoken()
        #expect(throws: BridgeFault(.timedOut, made: exchange.place.site)) { try exchange.wait.get() }
        #expect(exchange.cancelled.all == [42])
        #expect(log.all == [1])
    }

    @Test func `does not end the wait before its time`() async throws {
        let clock = CountedClock()
        let exchange = await self.parked(on: clock)
        clock.advance(by: .milliseconds(4_999))
        #expect(exchange.callback.value?.isWaiting == true)
        exchange.resume(returning: 1)
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 1)
    }

    @Test func `refuses a late answer without a report`() async {
        let clock = CountedClock()
        let exchange = await self.parked(on: clock)
        clock.advance(by: .seconds(5))
        await exchange.wait.turnWhenWoken()
        #expect(!exchange.resume(returning: 1))
        #expect(exchange.undelivered.all == [1])
        #expect(exchange.place.reports.isEmpty)
        #expect(!exchange.resume(returning: 2))
        #expect(exchange.undelivered.all == [1, 2])
        #expect(exchange.place.reports.map(\.kind) == [.duplicateAnswer])
    }

    /// Numbers of a configuration are integers; zero and less end a wait at once.
    @Test(arguments: [0, -1, Int.min]) func `is made from integers, too`(_ number: Int) async {
        for timeout in [BridgeTimeout.seconds(number), .milliseconds(number), .seconds(Int8(clamping: number))] {
            let kept = Mutex<Callback<Int, any Error>?>(nil)
            let error = await #expect(throws: BridgeFault.self) {
                try await withCallback(of: Int.self, timeout: timeout) { callback in kept.withLock { $0 = callback } }
            }
            #expect(error?.code == .timedOut)
        }
        for timeout in [BridgeTimeout.seconds(Int.max), .milliseconds(UInt64.max), .seconds(3_600), .seconds(0.5)] {
            let answer = try? await withCallback(timeout: timeout) { callback in _ = callback.resume(returning: 1) }
            #expect(answer == 1)
        }
    }

    @Test func `a clock that fails ends the wait`() async {
        struct BrokenClock: Clock {
            struct Failure: Error {}
            var now: ContinuousClock.Instant { .now }
            var minimumResolution: Duration { .zero }
            func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws { throw Failure() }
        }
        await #expect(throws: BridgeFault.self) {
            try await withCallback(of: Int.self, timeout: .after(.seconds(1000), on: BrokenClock())) { callback in
                callback.onCancel { withExtendedLifetime(callback) {} }
            }
        }
    }

    enum End: CaseIterable {
        case answer
        case cancellation
        case drop
    }

    @Test(arguments: End.allCases)
    func `stops its timer when the wait ends otherwise`(after end: End) async {
        let clock = CountedClock()
        let exchange = await self.parked(on: clock)
        switch end {
        case .answer: exchange.resume(returning: 1)
        case .cancellation: exchange.cancel()
        case .drop: exchange.callback.take()
        }
        exchange.wait.turn()
        #expect(exchange.wait.hasEnded)
        await clock.hasNoSleeper()
        #expect(clock.cancelledSleeps == 1)
    }

    @Test func `that comes after the answer is too late`() async throws {
        let clock = CountedClock()
        let exchange = await self.parked(on: clock)
        exchange.resume(returning: 1)
        clock.advance(by: .seconds(5))
        await clock.hasNoSleeper()
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 1)
        #expect(exchange.cancelled.count == 0)
    }

    @Test func `ends a cooperative wait that has been cancelled`() async {
        let clock = CountedClock()
        let exchange = await self.parked(.cooperative, on: clock)
        exchange.cancel()
        #expect(!exchange.wait.hasEnded)
        clock.advance(by: .seconds(5))
        await exchange.wait.turnWhenWoken()
        #expect(throws: BridgeFault(.timedOut, made: exchange.place.site)) { try exchange.wait.get() }
        #expect(exchange.cancelled.count == 1)
    }

    @Test func `is not set for an answer in start`() throws {
        let slept = Log<Void>()
        let clock = TellingClock { slept(()) }
        let exchange = Exchange(
            Int.self,
            .init(timeout: .after(.seconds(5), on: clock)),
            start: { $0.resume(returning: 1) }
        )
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 1)
        #expect(slept.count == 0)
    }

    @Test func `carries the task locals`() async {
        let seen = Slot<Int>()
        let clock = TellingClock { seen.put(Local.number) }
        await Local.$number.withValue(11) {
            _ = try? await withCallback(of: Int.self, timeout: .after(.seconds(5), on: clock)) { callback in
                // Held until the time is up.
                callback.onCancel { _ = callback }
            }
        }
        #expect(seen.value == 11)
    }

    @Test func `of no time ends the wait`() async {
        await #expect(throws: BridgeFault.self) {
            try await withCallback(of: Int.self, timeout: .milliseconds(0)) { callback in
                callback.onCancel { _ = callback }
            }
        }
    }

    enum Local {
        @TaskLocal static var number = 0
    }

    /// A clock on which the time is always up at once.
    private struct TellingClock: Clock {
        let tell: @Sendable () -> Void

        init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

        var now: TestClock.Instant { TestClock.Instant(offset: .zero) }

        var minimumResolution: Duration { .zero }

        func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws { self.tell() }
    }
}
