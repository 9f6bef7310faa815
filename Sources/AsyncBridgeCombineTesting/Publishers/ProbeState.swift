// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

/// What a subscriber has seen and done, and the rules that hold at every signal.
struct ProbeState: Sendable {
    enum End: Sendable {
        case finished
        case failed(any Error)
    }

    enum Signal: Sendable {
        case element(Int)
        case end(End)
    }

    /// A rule that a signal has broken.
    struct Breach: Sendable {
        let rule: ReactiveStreamsRule
        let explanation: String
    }

    /// A call of the subscription inside one of the subscriber's methods.
    struct InnerCall: Sendable {
        let call: String
        let method: String
    }

    /// How deep elements may be nested in each other on one thread.
    static let deepest = 100
    /// How many elements may be too many before the thread is stopped that delivers them.
    static let runawayLimit = 1_000
    /// How many elements may come after the cancellation from a queue, where all that were requested may wait.
    static let queueLimit = 100_000

    let obeysDemand: Bool
    let stopsAtOnce: Bool

    var subscriptions = 0
    var elements: [Int] = []
    var ends: [End] = []
    /// The sum of all requests, up to `.max`, which is unlimited.
    var requested = 0
    /// Whether `cancel()` has returned.
    var isCancelled = false
    /// The thread that is inside `cancel()`.
    var cancellingThread: ThreadID?
    /// The thread that cancelled first: nothing can be on its way there.
    var cancelledOn: ThreadID?
    /// How many signals may come after the cancellation: those that were on their way on another thread.
    var grace = 0
    /// How many have come.
    var late = 0
    /// Whether the run is over: what still sends is stopped.
    var isOver = false
    /// The calls of the subscription inside the subscriber's methods that have not returned, the innermost last.
    private(set) var innerCalls: [InnerCall] = []
    /// The thread that is inside `receive(subscription:)`.
    var subscribingThread: ThreadID?
    /// The thread on which another signal is handled.
    private(set) var thread: ThreadID?
    private(set) var depth = 0
    /// How many calls of `receive(_:)` and `receive(completion:)` have not returned, on all threads.
    private var inside = 0
    /// The deepest place of the stack of one thread, and how often it became deeper.
    private var lowest: (thread: ThreadID, place: UInt)?
    private var lows = 0
    /// What has been reported.
    private var broken: Set<ReactiveStreamsRule> = []

    init(obeysDemand: Bool, stopsAtOnce: Bool) {
        self.obeysDemand = obeysDemand
        self.stopsAtOnce = stopsAtOnce
    }

    /// Whether one more subscription that must not come is cancelled: a publisher may send another one in that call.
    var cancelsOther: Bool { self.subscriptions <= Self.deepest }

    /// Whether a publisher does not stop by itself.
    var isRunaway: Bool {
        let excess = self.obeysDemand ? self.elements.count - self.requested : 0
        let orphans = self.subscriptions == 0 ? self.elements.count : 0
        let isLateForGood = self.late > (self.stopsAtOnce ? Self.runawayLimit : Self.queueLimit)
        // Each on a thread of its own, which waits for the next one.
        let isTooDeep = max(self.depth, self.inside, self.lows) > 2 * Self.deepest
        return max(excess, orphans) > Self.runawayLimit || isLateForGood || isTooDeep || self.isOver
    }

    /// Whether it does no harm to request more.
    private var isShallow: Bool { !self.broken.contains(.recursionIsBounded) }

    /// The subscriber's method inside which a call on a thread is made, if there is one.
    private func method(on thread: ThreadID) -> String? {
        if self.thread == thread { return self.ends.isEmpty ? "receive(_:)" : "receive(completion:)" }
        return self.subscribingThread == thread ? "receive(subscription:)" : nil
    }

    /// Notes that a call of the subscription begins.
    ///
    /// - Returns: Whether it is made inside one of the subscriber's methods: then its end is to be noted as well.
    mutating func begin(_ call: String, on thread: ThreadID) -> Bool {
        guard let method = self.method(on: thread) else { return false }
        self.innerCalls.append(InnerCall(call: call, method: method))
        return true
    }

    /// Notes that the innermost of these calls has returned.
    mutating func endInnerCall() { _ = self.innerCalls.popLast() }

    private mutating func add(_ count: Int) { self.requested = self.requested.addingUpToMax(count) }

    /// Notes a request.
    ///
    /// - Returns: Whether it is made inside one of the subscriber's methods, and whether it may be made.
    mutating func request(_ count: Int, on thread: ThreadID) -> (isInner: Bool, isShallow: Bool) {
        guard self.method(on: thread) == nil || self.isShallow else { return (true, false) }
        self.add(count)
        return (self.begin("request(_:)", on: thread), true)
    }

    mutating func subscribe() -> [Breach] {
        self.subscriptions += 1
        guard self.subscriptions > 1 else { return [] }
        return [Breach(rule: .subscriptionIsSingle, explanation: "expected one subscription, saw another one")]
    }

    mutating func enter(_ signal: Signal, on thread: ThreadID) -> [Breach] {
        var breaches: [Breach] = []
        let broken = self.broken
        func check(_ isRight: Bool, _ rule: ReactiveStreamsRule, _ explanation: @autoclosure () -> String) {
            guard !isRight, !broken.contains(rule) else { return }
            breaches.append(Breach(rule: rule, explanation: explanation()))
        }
        check(
            self.subscriptions > 0,
            .subscriptionIsFirst,
            "expected receive(subscription:) before every other signal, saw \(signal) before it"
        )
        check(self.ends.isEmpty, .endIsLast, "expected nothing after the end, saw \(signal)")
        check(
            self.thread == nil || self.thread == thread,
            .signalsAreSerial,
            "expected one signal at a time, saw \(signal) on a second thread while a signal was still handled"
        )
        self.inside += 1
        if self.thread == nil || self.thread == thread {
            self.thread = thread
            self.depth += 1
        }
        check(
            self.depth <= Self.deepest,
            .recursionIsBounded,
            "expected request(_:) to return and the elements to follow from one loop, saw more than \(Self.deepest) "
                + "calls of receive(_:) inside each other"
        )
        self.checkCancellation(signal, thread, check)
        switch signal {
        case .element(let element):
            self.elements.append(element)
            check(
                !self.obeysDemand || self.elements.count <= self.requested,
                .demandIsObeyed,
                "expected no more elements than requested, saw one more than \(self.requested)"
            )
        case .end(let end): self.ends.append(end)
        }
        for breach in breaches { self.broken.insert(breach.rule) }
        return breaches
    }

    /// Notes where the stack of the thread is that delivers an element.
    ///
    /// - Returns: What that is against.
    mutating func note(_ place: UInt, on thread: ThreadID) -> [Breach] {
        // Not with the element before. Found: pages of which each subscribes to the next one inside its end, where the
        // stack does not grow within a page.
        if let lowest = self.lowest, lowest.thread == thread {
            if place < lowest.place {
                self.lowest = (thread, place)
                self.lows += 1
            }
        } else {
            self.lowest = (thread, place)
            self.lows = 0
        }
        guard self.lows == Self.deepest, self.broken.insert(.recursionIsBounded).inserted else { return [] }
        return [
            Breach(
                rule: .recursionIsBounded,
                explanation: "expected the elements to come from one loop, but the stack grew between them, "
                    + "\(Self.deepest) times"
            )
        ]
    }

    private mutating func checkCancellation(
        _ signal: Signal,
        _ thread: ThreadID,
        _ check: (Bool, ReactiveStreamsRule, @autoclosure () -> String) -> Void
    ) {
        check(
            self.cancellingThread != thread,
            .cancelEndsSignals,
            "expected cancel() to send nothing, saw \(signal) inside it"
        )
        guard self.isCancelled else { return }
        self.late += 1
        let isOnItsWay = self.late <= self.grace && (self.cancelledOn != thread || self.grace == .max)
        check(
            !self.stopsAtOnce || isOnItsWay,
            .cancelEndsSignals,
            "expected \(self.grace == 0 ? "nothing" : "at most what was on its way") after cancel() had returned, "
                + "saw \(signal)"
        )
    }

    /// Notes the end of a signal.
    ///
    /// - Returns: The demand to add.
    mutating func leave(on thread: ThreadID, _ demand: Int) -> Int {
        let demand = self.isShallow ? demand : 0
        self.add(demand)
        self.inside -= 1
        guard self.thread == thread else { return demand }
        self.depth -= 1
        if self.depth == 0 { self.thread = nil }
        return demand
    }
}

extension ProbeState.Signal: CustomStringConvertible {
    var description: String {
        switch self {
        case .element: "an element"
        case .end(let end): "\(end)"
        }
    }
}

extension ProbeState.End: CustomStringConvertible {
    var description: String {
        switch self {
        case .finished: "the end"
        case .failed(let error as SourceError): "\(error)"
        case .failed(let error): "the error '\(error)'"
        }
    }
}

extension Int {
    /// The sum, or `.max` if that is less.
    func addingUpToMax(_ other: Int) -> Int {
        let (sum, isTooMuch) = self.addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}
#endif
