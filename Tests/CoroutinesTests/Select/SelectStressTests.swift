// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

@Suite("select under load", .serialized, .timeLimit(.minutes(60)))
struct SelectStressTests {
    /// Each of two would send to one channel and receive from the other, or the other way round: they meet, and do not
    /// deadlock.
    @Test(arguments: Selector.allCases, Selector.allCases)
    func `two against each other`(first: Selector, second: Selector) async throws {
        let (left, right) = (CoChannel<Int>(buffering: .rendezvous), CoChannel<Int>(buffering: .rendezvous))
        @Sendable func branches(_ number: Int, swapped: Bool) -> [SelectBranch<String>] {
            let branches: [SelectBranch<String>] = [
                .send(number, to: left) { "to left" },
                .receive(from: left) { "\($0) from left" },
                .send(number, to: right) { "to right" },
                .receive(from: right) { "\($0) from right" },
            ]
            return swapped ? branches.reversed() : branches
        }
        for round in 0..<StressScale.rounds(500) {
            let one = first.select { branches(1, swapped: false) }
            let two = second.select { branches(2, swapped: round.isMultiple(of: 2)) }
            let both = try await [one.value, two.value]
            let possible = [
                ["to left", "1 from left"], ["2 from left", "to left"], ["to right", "1 from right"],
                ["2 from right", "to right"],
            ]
            #expect(possible.contains(both))
            #expect(!left.hasReceivers && !left.hasSenders && !right.hasReceivers && !right.hasSenders)
        }
    }

    /// Many that select, with random cancellations, between the same channels: what was sent was received.
    @Test(arguments: [BufferingPolicy.rendezvous, .bounded(capacity: 2)])
    func `many with random cancellations`(type: BufferingPolicy) async throws {
        let channels = (0..<3).map { _ in CoChannel<Int>(buffering: type) }
        let (tally, ends) = (Tally(), EventLog())
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    var random = SplitMix(seed: UInt64(worker))
                    for number in 0..<StressScale.rounds(400) {
                        let (first, second) = (Int(random.next() % 3), Int(random.next() % 3))
                        let selector = Selector.allCases[Int(random.next() % 3)]
                        // A task always begins; a coroutine that is cancelled before never does.
                        let alwaysBegins = selector != .coroutineOnAScheduler
                        let log = alwaysBegins ? EventLog() : ends
                        let selected = selector.select(log: log) {
                            if !alwaysBegins { tally.begin() }
                            return [
                                .send(number, to: channels[first]) { tally.sent() },
                                .receive(from: channels[second]) { _ in tally.received() },
                            ]
                        }
                        for _ in 0..<random.next() % 4 { await Task.yield() }
                        if random.next() % 2 == 0 { selected.cancel() }
                        _ = try? await selected.value
                        // A cancelled future is over before its selection is.
                        if alwaysBegins { try? await log.events(atLeast: 1) }
                    }
                    tally.leave()
                }
            }
            group.addTask {
                // Meets those whom nobody else meets.
                while tally.workers > 0 {
                    for channel in channels {
                        if channel.offer(-1) { tally.sent() }
                        if channel.poll() != nil { tally.received() }
                    }
                    await Task.yield()
                }
            }
        }
        try await ends.events(atLeast: tally.counts.begun)
        for channel in channels {
            #expect(!channel.hasReceivers && !channel.hasSenders)
            while channel.poll() != nil { tally.received() }
        }
        #expect(tally.counts.sent == tally.counts.received)
        #expect(tally.counts.sent > 0)
    }

    private final class Tally: Sendable {
        private let state = Locked((begun: 0, sent: 0, received: 0, workers: 6))

        func begin() { self.state.withLock { $0.begun += 1 } }
        func sent() { self.state.withLock { $0.sent += 1 } }
        func received() { self.state.withLock { $0.received += 1 } }
        func leave() { self.state.withLock { $0.workers -= 1 } }
        var workers: Int { self.state.withLock { $0.workers } }
        var counts: (begun: Int, sent: Int, received: Int) {
            self.state.withLock { ($0.begun, $0.sent, $0.received) }
        }
    }
}
