// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

/// Every event in every state, with no thread.
///
/// A task that does nothing stands for the operation.
@Suite("The state machine of a scheduled coroutine", .timeLimit(.minutes(10)))
struct ScheduledCoroutineStateTests {
    /// A machine in a state that is known.
    struct World {
        var state = ScheduledCoroutineState()
        let log = EventLog()
        let operation = Task {}

        static var going: World { World() }

        static var waiting: World {
            var world = World()
            _ = world.state.begin(.operation(world.operation))
            return world
        }

        static var cancelled: World {
            var world = World()
            _ = world.state.cancel()
            return world
        }

        static var cancelledWhileWaiting: World {
            var world = World.waiting
            _ = world.state.cancel()
            return world
        }

        static var ended: World {
            var world = World()
            _ = world.state.end()
            return world
        }

        mutating func observe(_ name: String) {
            switch self.state.observe({ [log] in log.record(name) }) {
            case .keep: break
            case .call: self.log.record("\(name) at once")
            }
        }

        mutating func end() { for observer in self.state.end() { observer() } }

        /// What the next wait is told, in words.
        mutating func wait() -> String {
            switch self.state.begin(.operation(self.operation)) {
            case .proceed: "proceed"
            case .cancelWait: "cancel the operation"
            }
        }

        /// What the caller of `cancel` is told, in words.
        mutating func cancel() -> String {
            switch self.state.cancel() {
            case .ignore: "ignore"
            case .note: "note"
            case .noteAndCancel(let wait):
                wait.operation == self.operation ? "note and cancel the operation" : "cancel another operation"
            }
        }
    }

    /// The optimiser removes the messages.
    static func expect(
        _ message: String,
        in result: ExitTest.Result?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #if DEBUG
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains(message), sourceLocation: sourceLocation)
        #endif
    }

    @Suite struct Wait {
        @Test func `when going, proceeds`() {
            var world = World.going
            #expect(world.wait() == "proceed")
        }

        @Test func `when cancelled, cancels the operation`() {
            var world = World.cancelled
            #expect(world.wait() == "cancel the operation")
            #expect(world.state.endWait()?.operation == nil)
            #expect(world.wait() == "cancel the operation", "it stays cancelled")
        }

        @Test func `when waiting, traps`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var world = World.waiting
                _ = world.wait()
            }
            expect("BUG: a coroutine waits for two things", in: result)
        }

        @Test func `when ended, traps`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var world = World.ended
                _ = world.wait()
            }
            expect("or after its end", in: result)
        }
    }

    @Suite struct IsCancelled {
        @Test func `is true from the cancellation to the end`() {
            #expect(!World.going.state.isCancelled)
            #expect(!World.waiting.state.isCancelled)
            #expect(World.cancelled.state.isCancelled)
            #expect(World.cancelledWhileWaiting.state.isCancelled)
            #expect(!World.ended.state.isCancelled)
        }
    }

    @Suite struct EndWait {
        @Test func `when waiting, gives the operation back`() {
            var world = World.waiting
            #expect(world.state.endWait()?.operation == world.operation)
            #expect(world.wait() == "proceed")
        }

        @Test func `when cancelled meanwhile, gives the operation back once`() {
            var world = World.cancelledWhileWaiting
            #expect(world.state.endWait()?.operation == world.operation)
            #expect(world.state.endWait()?.operation == nil)
            #expect(world.cancel() == "note")
        }

        @Test func `when going, traps`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var world = World.going
                _ = world.state.endWait()
            }
            expect("BUG: a wait ended, but no coroutine was waiting", in: result)
        }

        @Test func `when ended, traps`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var world = World.ended
                _ = world.state.endWait()
            }
            expect("BUG: a wait ended, but no coroutine was waiting", in: result)
        }
    }

    @Suite struct Cancel {
        @Test func `when going, is noted`() {
            var world = World.going
            #expect(world.cancel() == "note")
            #expect(world.cancel() == "note")
        }

        /// The second call may come before the first one has done it.
        @Test func `when waiting, each call cancels the operation`() {
            var world = World.waiting
            #expect(world.cancel() == "note and cancel the operation")
            #expect(world.cancel() == "note and cancel the operation")
            _ = world.state.endWait()
            #expect(world.cancel() == "note")
        }

        @Test func `when waiting for a call, stops that once`() {
            var world = World.going
            let log = world.log
            _ = world.state.begin(.call { log.record("stopped") })
            for _ in 0..<2 {
                if case .noteAndCancel(let wait) = world.state.cancel() { wait.cancel() }
            }
            #expect(log.events == ["stopped"])
        }

        @Test func `after a wait, is only noted`() {
            var world = World.waiting
            _ = world.state.endWait()
            #expect(world.cancel() == "note")
        }

        @Test func `when cancelled, is noted again`() {
            var world = World.cancelled
            #expect(world.cancel() == "note")
        }

        @Test func `when ended, is ignored`() {
            var world = World.ended
            #expect(world.cancel() == "ignore")
        }
    }

    @Suite struct End {
        @Test func `when going, calls the observers, oldest first`() {
            var world = World.going
            for number in 1...3 { world.observe("\(number)") }
            world.end()
            #expect(world.log.events == ["1", "2", "3"])
        }

        @Test func `when cancelled, calls the observers`() {
            var world = World.cancelled
            world.observe("observer")
            world.end()
            #expect(world.log.events == ["observer"])
        }

        @Test func `when waiting, traps`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var world = World.waiting
                world.end()
            }
            expect("BUG: a coroutine ended during a wait", in: result)
        }

        @Test func `when ended, traps`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var world = World.ended
                world.end()
            }
            expect("or twice", in: result)
        }
    }

    @Suite struct Observe {
        @Test func `before the end, is kept, through all states`() {
            var world = World.going
            world.observe("going")
            _ = world.wait()
            world.observe("waiting")
            _ = world.cancel()
            world.observe("cancelled")
            _ = world.state.endWait()
            #expect(world.log.events == [])
            world.end()
            #expect(world.log.events == ["going", "waiting", "cancelled"])
        }

        @Test func `when ended, is called`() {
            var world = World.going
            world.observe("before")
            world.end()
            world.observe("after")
            #expect(world.log.events == ["before", "after at once"])
        }
    }
}

extension ScheduledCoroutineState.Wait {
    fileprivate var operation: Task<Void, Never>? {
        switch self {
        case .operation(let task): task
        case .callback, .call: nil
        }
    }
}
