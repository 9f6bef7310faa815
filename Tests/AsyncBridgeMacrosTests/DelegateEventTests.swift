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

@MainActor
private protocol BellDelegate: AnyObject {
    func bell(_ bell: Bell, didRing count: Int)
}

/// A sender that only the main actor may touch.
@MainActor
private final class Bell {
    private(set) var changes: [Bool] = []
    private(set) var pauses: [Bool] = []
    private var count = 0

    weak var delegate: (any BellDelegate)? {
        didSet {
            self.changes.append(self.delegate != nil)
            if self.delegate != nil { self.ring() }
        }
    }

    func ring() {
        self.count += 1
        self.delegate?.bell(self, didRing: self.count)
    }

    func set(paused: Bool) { self.pauses.append(paused) }
}

private protocol HornDelegate: AnyObject, Sendable {
    func horn(_ horn: Horn, didBlow count: Int)
}

/// A sender that is an actor, and takes its time to pause.
private actor Horn {
    private weak var delegate: (any HornDelegate)?
    private(set) var calls: [String] = []
    private let mayPause = AsyncStream.makeStream(of: Void.self)

    func attach(_ delegate: (any HornDelegate)?) {
        self.delegate = delegate
        self.calls.append(delegate == nil ? "detach" : "attach")
    }

    func blow(_ counts: Range<Int>) {
        for count in counts { self.delegate?.horn(self, didBlow: count) }
    }

    func pause() async {
        self.calls.append("pauses")
        for await _ in self.mayPause.stream {}
        self.calls.append("is paused")
    }

    nonisolated func letPause() { self.mayPause.continuation.finish() }

    func resume() { self.calls.append("resume") }

    nonisolated func wait(forCalls count: Int) async {
        while await self.calls.count < count, !Task.isCancelled { await Task.yield() }
    }
}

@DelegateEvents
private final class HornEvents: HornDelegate, Sendable {
    func horn(_ horn: Horn, didBlow count: Int)
}

@DelegateEvents
@MainActor
private final class BellEvents: BellDelegate {
    func bell(_ bell: Bell, didRing count: Int)
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

    /// One delegate of two senders: each has its own `attach`.
    @Test func eachSenderIsAttachedAndAllAreDetachedWithTheLastLoop() async {
        let counters = [Counter(), Counter()]
        let delegate = CounterEvents()
        var first = Optional(delegate.events { counters[0].delegate = $0 }.makeAsyncIterator())
        var second = Optional(delegate.events { counters[1].delegate = $0 }.makeAsyncIterator())
        #expect(counters.map(\.changes) == [[true], [true]])
        counters[1].count(1..<2)
        guard case .didReach(1)? = await second?.next(), case .didReach(1)? = await first?.next() else {
            Issue.record("the event of the second sender is missing")
            return
        }
        // Perhaps the other loop wants the events of the same sender.
        first = nil
        #expect(counters.map(\.changes) == [[true], [true]])
        second = nil
        #expect(counters.map(\.changes) == [[true, false], [true, false]])
    }

    @Test func aSenderIsAttachedAnewWithTheNextLoop() async {
        let counter = Counter()
        let events = CounterEvents().events { counter.delegate = $0 }
        for _ in 0..<2 { _ = events.makeAsyncIterator() }
        #expect(counter.changes == [true, false, true, false])
    }

    /// The closure is on the main actor, as what is around it, and so is what it sets.
    @MainActor
    @Test func aSenderOfAnActorIsAttachedAndDetachedThere() async {
        let bell = Bell()
        for await event in BellEvents().events(attach: { bell.delegate = $0 }) {
            guard case .didRing(let count) = event, count < 3 else { break }
            bell.ring()
        }
        while bell.changes.count < 2, !Task.isCancelled { await Task.yield() }
        #expect(bell.changes == [true, false])
        #expect(bell.delegate == nil)
    }

    /// The closures are on the main actor, so each has its turn there, in order.
    @MainActor
    @Test func aSenderOfAnActorIsPausedAndResumedThere() async {
        let bell = Bell()
        let events = BellEvents().events(
            buffering: .watermark(low: 1, high: 3),
            pause: { bell.set(paused: true) },
            resume: { bell.set(paused: false) },
            attach: { bell.delegate = $0 }
        )
        var iterator = Optional(events.makeAsyncIterator())
        _ = await iterator?.next()
        for _ in 0..<3 { bell.ring() }
        #expect(bell.pauses.isEmpty)
        while bell.pauses.isEmpty, !Task.isCancelled { await Task.yield() }
        for _ in 0..<3 { _ = await iterator?.next() }
        while bell.pauses.count < 2, !Task.isCancelled { await Task.yield() }
        #expect(bell.pauses == [true, false])
        iterator = nil
        while bell.changes.count < 2, !Task.isCancelled { await Task.yield() }
        #expect(bell.pauses == [true, false])
    }

    /// The closures wait for the actor: what each does is done before the next one begins.
    @Test(arguments: [true, false])
    func aSenderThatIsAnActorIsWaitedFor(_ isConsumed: Bool) async {
        let horn = Horn()
        let events = HornEvents().events(
            buffering: .watermark(low: 1, high: 3),
            pause: { await horn.pause() },
            resume: { await horn.resume() },
            attach: { await horn.attach($0) }
        )
        var iterator = Optional(events.makeAsyncIterator())
        await horn.wait(forCalls: 1)
        await horn.blow(0..<3)
        await horn.wait(forCalls: 2)
        if isConsumed {
            for expected in 0..<3 {
                guard case .didBlow(expected)? = await iterator?.next() else { Issue.record("not \(expected)"); break }
            }
        } else {
            iterator = nil
        }
        // Time for what must not begin yet.
        for _ in 0..<1000 { await Task.yield() }
        #expect(await horn.calls == ["attach", "pauses"])
        horn.letPause()
        await horn.wait(forCalls: 4)
        iterator = nil
        await horn.wait(forCalls: isConsumed ? 5 : 4)
        // After the end nothing resumes the sender.
        #expect(await horn.calls == ["attach", "pauses", "is paused"] + (isConsumed ? ["resume"] : []) + ["detach"])
    }

    @Test func aDroppedEventIsReportedWhereTheEventsAreMade() async {
        let counter = Counter()
        CollectedReports.begin()
        let line = UInt(#line) + 1
        let events = CounterEvents().events(buffering: .newest(capacity: 1)) { counter.delegate = $0 }
        var iterator = events.makeAsyncIterator()
        counter.count(0..<2)
        _ = await iterator.next()
        let reports = CollectedReports.all(about: BridgeDiagnostics.CallSite(fileID: #fileID, line: line))
        #expect(reports.map(\.kind) == [.elementsDropped])
    }
}
#endif
