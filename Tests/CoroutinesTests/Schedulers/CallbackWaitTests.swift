// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Testing

/// Waits for callbacks in coroutines that belong to no task, and so wait without one.
@Suite("A coroutine on a scheduler waits for a callback", .timeLimit(.minutes(10)))
struct CallbackWaitTests {
    /// What may happen to a wait.
    enum Event: CaseIterable {
        case answer
        case cancel
        /// The API drops the callback.
        case drop
    }

    /// When the events happen.
    enum Moment: CaseIterable {
        case inStart
        case whileItWaits
    }

    static let orders: [[Event]] = [
        [.answer], [.cancel], [.drop], [.answer, .cancel, .drop], [.answer, .drop, .cancel], [.cancel, .answer, .drop],
        [.cancel, .drop, .answer], [.drop, .cancel, .answer], [.drop, .answer, .cancel],
    ]

    /// What decides if all happens before the wait: an answer that is there is taken; `start` itself keeps the
    /// callback.
    static func decisive(_ events: [Event]) -> Event? {
        // An answer after the drop finds no callback.
        let seen = events.prefix { $0 != .drop }
        if seen.contains(.answer) { return .answer }
        return events.contains(.cancel) ? .cancel : .drop
    }

    @Test(arguments: Self.orders, Moment.allCases)
    func `every order`(of events: [Event], at moment: Moment) async throws {
        let (scheduler, log, tracker) = (ManualScheduler(), EventLog(), LifetimeTracker())
        let callbacks = Collected<Callback<LifetimeTracker.Tracked<Int>, any Error>>()
        let handles = Collected<CoroutineHandle>()
        let happen = { @Sendable in
            for event in events {
                switch event {
                case .answer: callbacks.all.first?.resume(returning: tracker.track(1))
                case .cancel: handles.all.first?.cancel()
                case .drop: callbacks.removeAll()
                }
            }
        }
        let handle = scheduler.startCoroutine(onError: { log.record("\(type(of: $0))") }) {
            defer { log.record("end") }
            let value = try Coroutine.await(of: LifetimeTracker.Tracked<Int>.self) { callback in
                callback.onCancel { log.record("stop") }
                callbacks.append(callback)
                if moment == .inStart { happen() }
            }
            log.record("value \(value.value)")
        }
        handles.append(handle)
        scheduler.run()
        if moment == .whileItWaits {
            #expect(log.events == [], "nothing runs in its thread, nor in a task")
            happen()
            #expect(log.events == [], "it goes on where it runs")
            scheduler.run()
        }
        switch moment == .whileItWaits ? events.first : Self.decisive(events) {
        case .answer: #expect(log.events == ["value 1", "end"])
        case .cancel: #expect(log.events == ["stop", "end"])
        default: #expect(log.events == ["end", "BridgeFault"])
        }
        callbacks.removeAll()
        #expect(scheduler.count == 0)
        #expect(tracker.alive == 0)
    }

    /// Nothing is started then.
    @Test func `cancelled before`() {
        let (scheduler, log) = (ManualScheduler(), EventLog())
        let handles = Collected<CoroutineHandle>()
        let handle = scheduler.startCoroutine {
            defer { log.record("end") }
            handles.all.first?.cancel()
            try Coroutine.await(of: Void.self) { callback in
                log.record("start")
                callback.onCancel { log.record("stop") }
            }
        }
        handles.append(handle)
        scheduler.run()
        #expect(log.events == ["end"])
    }

    /// Its scheduler drops the step in which the answer was to be taken.
    @Test func `dropped by the scheduler`() {
        let (scheduler, log, tracker) = (ManualScheduler(), EventLog(), LifetimeTracker())
        let callbacks = Collected<Callback<LifetimeTracker.Tracked<Int>, any Error>>()
        scheduler.startCoroutine {
            defer { log.record("end") }
            _ = try Coroutine.await { callbacks.append($0) }
            log.record("went on")
        }
        scheduler.run()
        callbacks.all.first?.resume(returning: tracker.track(1))
        callbacks.removeAll()
        scheduler.dropOne()
        #expect(log.events == ["end"])
        #expect(tracker.alive == 0)
    }

    @Test func `one after the other`() {
        let (scheduler, log) = (ManualScheduler(), EventLog())
        let callbacks = Collected<Callback<Int, any Error>>()
        scheduler.startCoroutine {
            var sum = 0
            for _ in 0..<100 { sum += try Coroutine.await { callbacks.append($0) } }
            log.record("\(sum)")
        }
        scheduler.run()
        for number in 0..<100 {
            callbacks.all[number].resume(returning: number)
            scheduler.run()
        }
        #expect(log.events == ["4950"])
    }
}
