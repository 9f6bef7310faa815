// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridge
import AsyncBridgeMacros
import AsyncBridgeTesting
import Synchronization
import Testing

private protocol CounterDelegate: AnyObject, Sendable {
    func counter(_ counter: Counter, didReach value: Int)
    func counterDidEnd(_ counter: Counter)
}

/// A sender that holds its delegate weakly, and records how often it is set.
private final class Counter: Sendable {
    private struct State {
        weak var delegate: (any CounterDelegate)?
        var changes: [Bool] = []
    }

    private let state = Mutex(State())

    var delegate: (any CounterDelegate)? {
        get { self.state.withLock { $0.delegate } }
        set {
            self.state.withLock {
                $0.delegate = newValue
                $0.changes.append(newValue != nil)
            }
        }
    }

    var changes: [Bool] { self.state.withLock { $0.changes } }

    func attach(_ delegate: (any CounterDelegate)?, counting values: Range<Int>) {
        self.delegate = delegate
        self.count(values)
    }

    func count(_ values: Range<Int>) {
        for value in values { self.delegate?.counter(self, didReach: value) }
    }
}

@DelegateEvents
private final class CounterEvents: CounterDelegate, Sendable {
    func counter(_ counter: Counter, didReach value: Int)
    func counterDidEnd(_ counter: Counter)
}

@Suite(.timeLimit(.minutes(10)))
struct DelegateEventTests {
    @Test func nothingIsLostBeforeTheFirstNextAndTheOrderIsKept() async {
        let counter = Counter()
        let events = CounterEvents().events { delegate in
            counter.delegate = delegate
            if delegate != nil { counter.count(0..<100) }
        }
        var iterator = events.makeAsyncIterator()
        counter.count(100..<200)
        for expected in 0..<200 {
            guard case .didReach(let value)? = await iterator.next() else { break }
            #expect(value == expected)
        }
    }

    @Test func theDelegateIsKeptAliveWhileIteratedAndClearedOnce() async {
        let counter = Counter()
        for await event in CounterEvents().events(attach: { counter.attach($0, counting: 1..<3) }) {
            guard case .didReach(let value) = event, value == 1 else { break }
            // Only the loop holds it: the sender does not.
            #expect(counter.delegate != nil)
        }
        #expect(counter.changes == [true, false])
        #expect(counter.delegate == nil)
    }

    @Test func severalLoopsGetEachEventAndTheLastOneDetaches() async {
        let counter = Counter()
        let events = CounterEvents().events { counter.delegate = $0 }
        var first = Optional(events.makeAsyncIterator())
        var second = Optional(events.makeAsyncIterator())
        counter.count(7..<8)
        for value in [await first?.next(), await second?.next()] {
            guard case .didReach(7)? = value else {
                Issue.record("\(String(describing: value))")
                continue
            }
        }
        #expect(counter.changes == [true])
        first = nil
        #expect(counter.changes == [true])
        second = nil
        #expect(counter.changes == [true, false])
    }

    @Test func theSenderIsAskedToPause() async {
        let counter = Counter()
        let log = EventLog()
        let events = CounterEvents().events(
            buffering: .watermark(low: 1, high: 4),
            pause: { log.record("pause") },
            resume: { log.record("resume") },
            attach: { counter.delegate = $0 }
        )
        var iterator = events.makeAsyncIterator()
        counter.count(0..<5)
        #expect(log.events == ["pause"])
        for _ in 0..<5 { _ = await iterator.next() }
        counter.count(5..<6)
        _ = await iterator.next()
        #expect(log.events == ["pause", "resume"])
    }
}
#endif
