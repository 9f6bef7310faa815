// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// Code that is unwound, in `defer` blocks and where it swallows errors, cannot wait, in whatever way it tries.
@Suite("Waiting while code is unwound", .timeLimit(.minutes(10)))
struct UnwindingTests {
    private let log = EventLog()

    @Test(arguments: WayToWait.all) func `a generator that is broken off`(_ way: WayToWait) {
        for _ in Generator({ [log] yield in
            defer { way.attempt(log) }
            try yield(1)
        }) { break }
        #expect(self.log.events == ["refused"])
    }

    @Test(arguments: WayToWait.all) func `a generator that swallows the error`(_ way: WayToWait) {
        for _ in Generator({ [log] yield in
            try? yield(1)
            for _ in 0..<3 { way.attempt(log) }
        }) { break }
        #expect(self.log.events == ["refused", "refused", "refused"])
    }

    @Test(arguments: WayToWait.all) func `a throwing generator`(_ way: WayToWait) throws {
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
    @Test(arguments: WayToWait.all) func `a generator in a coroutine of a task`(_ way: WayToWait) async throws {
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

    @Test(arguments: WayToWait.all) func `a generator in a coroutine on a scheduler`(_ way: WayToWait) {
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

    @Test(arguments: WayToWait.all) func `an asynchronous generator that is broken off`(_ way: WayToWait) async throws {
        let log = self.log
        for try await _ in AsyncGenerator({ yield in
            defer { way.attempt(log) }
            try yield(1)
        }) { break }
        #expect(log.events == ["refused"])
    }

    @Test(arguments: WayToWait.all) func `an asynchronous generator whose task is cancelled`(_ way: WayToWait)
        async throws
    {
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

    @Test(arguments: WayToWait.all) func `a step that its scheduler dropped`(_ way: WayToWait) {
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

    @Test(arguments: WayToWait.all) func `a step in a generator's body that its scheduler dropped`(_ way: WayToWait) {
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
