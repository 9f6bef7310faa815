// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// Code that is unwound, in `defer` blocks and where it swallows errors, cannot wait, in whatever way it tries.
@Suite("Waiting while code is unwound", .timeLimit(.minutes(10)))
struct UnwindingTests {
    private let log = EventLog()

    @Test(arguments: WayToWait.all) func aGeneratorThatIsBrokenOff(_ way: WayToWait) {
        for _ in Generator({ [log] yield in
            defer { way.attempt(log) }
            try yield(1)
        }) { break }
        #expect(self.log.events == ["refused"])
    }

    @Test(arguments: WayToWait.all) func aGeneratorThatSwallowsTheError(_ way: WayToWait) {
        for _ in Generator({ [log] yield in
            try? yield(1)
            for _ in 0..<3 { way.attempt(log) }
        }) { break }
        #expect(self.log.events == ["refused", "refused", "refused"])
    }

    @Test(arguments: WayToWait.all) func aThrowingGenerator(_ way: WayToWait) throws {
        do {
            var iterator = ThrowingGenerator { [log] yield in
                defer { way.attempt(log) }
                try yield(1)
            }.makeIterator()
            #expect(try iterator.next() == 1)
        }
        #expect(self.log.events == ["refused"])
    }

    /// What waits there must not take the coroutine around it, which goes on.
    @Test(arguments: WayToWait.all) func aGeneratorInACoroutineOfATask(_ way: WayToWait) async throws {
        let log = self.log
        try await withCoroutine {
            for _ in Generator({ yield in
                defer { way.attempt(log) }
                try yield(1)
            }) { break }
            try Coroutine.yield()
            log.record("goes on")
        }
        #expect(log.events == ["refused", "goes on"])
    }

    @Test(arguments: WayToWait.all) func aGeneratorInACoroutineOnAScheduler(_ way: WayToWait) {
        let (log, scheduler) = (self.log, ManualScheduler())
        scheduler.startCoroutine {
            for _ in Generator({ yield in
                defer { way.attempt(log) }
                try yield(1)
            }) { break }
            try Coroutine.yield()
            log.record("goes on")
        }
        scheduler.run()
        #expect(log.events == ["refused", "goes on"])
    }

    @Test(arguments: WayToWait.all) func anAsynchronousGeneratorThatIsBrokenOff(_ way: WayToWait) async throws {
        let log = self.log
        for try await _ in AsyncGenerator({ yield in
            defer { way.attempt(log) }
            try yield(1)
        }) { break }
        #expect(log.events == ["refused"])
    }

    @Test(arguments: WayToWait.all) func anAsynchronousGeneratorWhoseTaskIsCancelled(_ way: WayToWait) async throws {
        let log = self.log
        let task = Task {
            for try await _ in AsyncGenerator({ yield in
                defer { way.attempt(log) }
                try yield(1)
            }) { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.events == ["refused"])
    }

    @Test(arguments: WayToWait.all) func aStepThatItsSchedulerDropped(_ way: WayToWait) {
        let (log, scheduler) = (self.log, ManualScheduler())
        let coroutine = scheduler.startCoroutine {
            defer { way.attempt(log) }
            try Coroutine.yield()
        }
        scheduler.runOne()
        scheduler.dropOne()
        #expect(log.events == ["refused"])
        #expect(coroutine.isCancelled)
    }

    @Test(arguments: WayToWait.all) func aStepInAGeneratorsBodyThatItsSchedulerDropped(_ way: WayToWait) {
        let (log, scheduler) = (self.log, ManualScheduler())
        scheduler.startCoroutine {
            for _ in Generator(
                of: Int.self,
                { _ in
                    defer { way.attempt(log) }
                    try Coroutine.yield()
                }
            ) {}
        }
        scheduler.runOne()
        scheduler.dropOne()
        #expect(log.events == ["refused"])
    }
}
