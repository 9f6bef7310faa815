// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

@Suite("select: time that never comes", .timeLimit(.minutes(10)))
struct SelectTimeTests {
    /// More than a clock can count: such a branch never happens.
    static let ages: [Duration] = [
        .seconds(Int64.max), .seconds(Int64.max / 2), .seconds(Int64.max) * 18, .seconds(10_000_000_000),
    ]

    // In processes of their own, which an overflow would end.

    @Test func `never happens`() async throws {
        await #expect(processExitsWith: .success) {
            for age in Self.ages { try await Self.expectNever(age, clock: .continuous) }
        }
    }

    @Test func `never happens on the suspending clock`() async throws {
        await #expect(processExitsWith: .success) {
            for age in Self.ages { try await Self.expectNever(age, clock: .suspending) }
        }
    }

    @Test func `never happens on another clock`() async throws {
        await #expect(processExitsWith: .success) {
            let clock = TestClock()
            clock.advance(by: .seconds(1000))
            for age in Self.ages { try await Self.expectNever(age, clock: clock) }
        }
    }

    static func expectNever<C: Clock>(_ age: Duration, clock: C) async throws where C.Duration == Duration {
        for selector in Selector.allCases {
            let channel = CoChannel<Int>(buffering: .rendezvous)
            let selected = selector.select { [.after(age, clock: clock) { -1 }, .receive(from: channel) { $0 }] }
            await until { channel.hasReceivers }
            // What happens at once has the time to do so.
            let later = try await select(.after(.milliseconds(2)) { 1 })
            #expect(later == 1)
            #expect(channel.offer(1))
            #expect(try await selected.value == 1)
        }
    }

    @Test func `an await that never times out`() async throws {
        await #expect(processExitsWith: .success) {
            let (scheduler, promise) = (ManualScheduler(), CoPromise<Int>())
            let values = [
                scheduler.coroutineFuture { [future = promise.future] in
                    try future.await(timeout: Duration.seconds(Int64.max))
                },
                scheduler.coroutineFuture { [future = promise.future] in try future.await(timeout: .seconds(Int.max)) },
            ]
            scheduler.run()
            promise.success(1)
            scheduler.run()
            for value in values {
                let value = try await value.value
                #expect(value == 1)
            }
        }
    }
}
