// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

@Suite("startCoroutine", .timeLimit(.minutes(2)))
struct StartCoroutineTests {
    private let scheduler = ManualScheduler()
    private let log = EventLog()

    @Test func theCodeRunsWhenItsSchedulerRunsIt() {
        let (scheduler, log) = (self.scheduler, self.log)
        log.expect(1)
        scheduler.startCoroutine { log.expect(3) }
        log.expect(2)
        scheduler.run()
        log.finish(4)
        #expect(log.finished().isEmpty, "\(log.finished())")
        #expect(scheduler.count == 0)
    }

    @Test func afterAnOperation_goesOnWhenItsSchedulerRunsIt() async throws {
        let (scheduler, log) = (self.scheduler, self.log)
        scheduler.startCoroutine {
            log.expect(1)
            let value = try Coroutine.await {
                await Task.yield()
                return 7
            }
            #expect(value == 7)
            log.expect(3)
        }
        scheduler.run()
        try await scheduler.arrivals(atLeast: 2)
        log.expect(2)
        scheduler.run()
        log.finish(4)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }
}
