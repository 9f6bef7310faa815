// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization
import Testing

@Suite("Timers", .timeLimit(.minutes(10)))
struct TimersTests {
    @Test func `serve in the order of the deadlines`() {
        let alarm = HandMadeAlarm()
        let timers = Timers(alarm)
        let order = Log<Int>()
        let waits = (0..<100).map { name in HandMadeWait.kept(name, whenWoken: { order(name) }) }
        for wait in waits.reversed() { timers.add(wait.reference, at: .seconds(10 + wait.name)) }
        // Each was earlier than those before.
        #expect(alarm.takeSet().count == 100)
        alarm.now = .seconds(60)
        timers.ring()
        #expect(order.all == Array(0...50))
        #expect(alarm.takeSet() == [.seconds(61)])
        for wait in waits { timers.remove(wait.reference) }
        #expect(timers.count == 0)
        timers.ring()
        #expect(alarm.takeSet() == [])
    }

    /// The alarm rings on another thread before code runs that may keep this one.
    @Test func `leave before others' code runs`() {
        let alarm = HandMadeAlarm()
        let timers = Timers(alarm)
        let seen = Log<Int>()
        let own = HandMadeWait.kept(whenWoken: { seen(alarm.leaves) })
        let others = HandMadeWait.kept(wakesOthersCode: true, whenWoken: { seen(10 + alarm.leaves) })
        timers.add(others.reference, at: .seconds(1))
        timers.add(own.reference, at: .seconds(1))
        alarm.now = .seconds(1)
        timers.ring()
        timers.ring()
        #expect(seen.all.sorted() == [0, 11] || seen.all.sorted() == [1, 11])
        #expect(alarm.leaves == 1)
    }

    @Test func `are set again in a child process`() {
        let alarm = HandMadeAlarm()
        let timers = Timers(alarm)
        timers.add(HandMadeWait.kept().reference, at: .seconds(1))
        timers.add(HandMadeWait.kept().reference, at: .seconds(2))
        #expect(alarm.takeSet() == [.seconds(1)])
        alarm.fork()
        timers.add(HandMadeWait.kept().reference, at: .seconds(2))
        #expect(alarm.takeSet() == [.seconds(1)])
    }

    @Test(arguments: [true, false])
    func `an action runs once, or was cancelled`(cancelled: Bool) {
        let alarm = HandMadeAlarm()
        let timers = Timers(alarm)
        let runs = Log<Int>()
        weak var action: TimedAction?
        do {
            let made = TimedAction(after: .seconds(1), on: timers, runsOthersCode: false) { runs(1) }
            action = made
            if cancelled { made.cancel() }
            alarm.now = .seconds(1)
            timers.ring()
            made.cancel()
            timers.ring()
        }
        #expect(runs.count == (cancelled ? 0 : 1))
        #expect(timers.count == 0)
        #expect(action == nil)
    }

    @Test func `an action is kept until it has run`() {
        let alarm = HandMadeAlarm()
        let timers = Timers(alarm)
        let runs = Log<Int>()
        _ = TimedAction(after: .seconds(1), on: timers, runsOthersCode: false) { runs(1) }
        alarm.now = .seconds(1)
        timers.ring()
        #expect(runs.count == 1)
    }

    static let systems: [Timers] = [.continuous, .suspending]

    @Test(arguments: 0..<2)
    func `of the system never come early`(clock: Int) async {
        let timers = Self.systems[clock]
        for step in 0..<20 {
            let duration = Duration.microseconds(step * 137)
            let start = timers.now
            let end = await withCheckedContinuation { continuation in
                _ = TimedAction(after: duration, on: timers, runsOthersCode: false) {
                    continuation.resume(returning: timers.now)
                }
            }
            #expect(end - start >= duration)
        }
    }

    /// A long one does not keep a short one waiting, whichever was set first.
    @Test(arguments: 0..<2)
    func `of the system come in any order`(clock: Int) async {
        let timers = Self.systems[clock]
        let long = TimedAction(after: .seconds(1000), on: timers, runsOthersCode: false) {}
        for _ in 0..<100 {
            await withCheckedContinuation { continuation in
                _ = TimedAction(after: .microseconds(100), on: timers, runsOthersCode: false) { continuation.resume() }
            }
        }
        long.cancel()
    }

    /// Code that keeps the thread it runs on keeps no timer waiting.
    @Test func `do not wait for others' code`() async {
        let isTold = Atomic(false)
        let busy = Atomic(0)
        let ended = Atomic(0)
        for _ in 0..<3 {
            _ = TimedAction(after: .microseconds(100), on: .continuous, runsOthersCode: true) {
                busy.add(1, ordering: .relaxed)
                spin { isTold.load(ordering: .relaxed) }
                ended.add(1, ordering: .relaxed)
            }
        }
        // All three are busy at once, so none waits for another.
        await until { busy.load(ordering: .relaxed) == 3 }
        for timers in Self.systems {
            await withCheckedContinuation { continuation in
                _ = TimedAction(after: .microseconds(100), on: timers, runsOthersCode: false) { continuation.resume() }
            }
        }
        isTold.store(true, ordering: .relaxed)
        await until { ended.load(ordering: .relaxed) == 3 }
    }

    private final class Fired: Sendable {
        let count = Atomic(0)
    }

    /// Many at once, set and cancelled by several threads.
    @Test func `forty thousand from four threads`() async {
        let fired = Fired()
        let before = Timers.suspending.count
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<9999 {
                        let duration = Duration.microseconds((number * 7 + thread) % 1000)
                        let isKept = number % 3 > 0
                        let action = TimedAction(after: duration, on: .suspending, runsOthersCode: false) {
                            // One that is cancelled may have fired before that.
                            if isKept { fired.count.add(1, ordering: .relaxed) }
                        }
                        if !isKept { action.cancel() }
                    }
                }
            }
        }
        await until { fired.count.load(ordering: .relaxed) >= 4 * 6666 }
        // Other tests may have timers of their own for a moment.
        await until { Timers.suspending.count <= before }
        #expect(fired.count.load(ordering: .relaxed) == 4 * 6666)
    }
}
