// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Foundation
import OpenCombineShim

/// A run of `Numbers`.
///
/// Safe: what changes is changed between `lock()` and `unlock()`.
final class NumbersSubscription: Subscription, @unchecked Sendable {
    /// What the runs of one publisher share, if it is flawed.
    ///
    /// Safe: the suite subscribes on one thread at a time; `next` is used under the lock of the only run that runs.
    final class Shared: @unchecked Sendable {
        var next = 0
        var isStopped = false
        /// Used under the lock of one run, by all runs, which are on one thread then.
        var isSending = false
        var isEnding = false
        var kept: [NumbersSubscription] = []
    }

    typealias Downstream = AnySubscriber<Int, SourceError>

    private let publisher: Numbers
    private let lock = NSCondition()
    private let outerLock = NSRecursiveLock()
    /// Held while elements are sent, if that is the flaw.
    private let sending = NSLock()
    private var subscriber: Downstream?
    private var kept: Downstream?
    private var demand = Subscribers.Demand.none
    private var sum = 0
    private var position = 0
    private var isSending = false {
        didSet { self.lock.broadcast() }
    }
    private var hasPaused = false
    private var isCancelled = false

    private var flaw: Numbers.Flaw { self.publisher.flaw }

    private var next: Int {
        get { self.flaw == .sharesOneRun ? self.publisher.shared.next : self.position }
        set {
            if self.flaw == .sharesOneRun { self.publisher.shared.next = newValue } else { self.position = newValue }
        }
    }

    init(_ subscriber: Downstream, _ publisher: Numbers) {
        self.subscriber = subscriber
        self.publisher = publisher
        if publisher.flaw == .keepsTheSubscriberForEver { self.kept = subscriber }
        // A cycle, and none that the end of the publisher breaks.
        if publisher.flaw == .keepsTheSubscriberForEver { self.cycle = self }
    }

    private var cycle: NumbersSubscription?

    // MARK: Calls

    func request(_ more: Subscribers.Demand) {
        self.locked {
            self.lock.lock()
            guard self.subscriber != nil || self.revives() else {
                let ended = self.flaw == .endsAgainWhenRequested && !self.isCancelled ? self.kept : nil
                self.lock.unlock()
                ended?.receive(completion: .finished)
                return
            }
            self.add(more)
            let isSending = self.flaw == .sharesThatItIsSending ? self.publisher.shared.isSending : self.isSending
            guard !isSending || self.sendsAtOnce else { return self.lock.unlock() }
            self.isSending = true
            if self.flaw == .sharesThatItIsSending { self.publisher.shared.isSending = true }
            self.lock.unlock()
            self.send()
            if self.flaw == .sharesThatItIsSending { self.publisher.shared.isSending = false }
        }
    }

    func cancel() {
        if self.flaw == .waitsInCancel { self.lock.withLock { while self.isSending { self.lock.wait() } } }
        self.locked {
            self.lock.lock()
            let subscriber = self.subscriber
            let ignores = self.flaw == .ignoresCancellation || self.flaw == .cancelsLate && self.next < 4
            if !ignores { self.subscriber = nil }
            if self.flaw == .keepsTheSubscriberWhileSending, self.isSending { self.kept = subscriber }
            if self.flaw == .stopsAllRunsTogether { self.publisher.shared.isStopped = true }
            if self.flaw == .stopsAllRunsAtASecondCancel, self.isCancelled { self.publisher.shared.isStopped = true }
            self.isCancelled = true
            if self.flaw == .endsAgainWhenRequested { self.kept = nil }
            if self.flaw == .keepsTheSubscriber || self.flaw == .goesOnWhenRequestedAfterCancellation {
                self.kept = subscriber
            }
            if self.flaw == .endsAfterCancellation, self.isSending { self.kept = subscriber }
            self.lock.unlock()
            if self.flaw == .endsInCancel { subscriber?.receive(completion: .finished) }
        }
    }

    /// Holds the lock that is the flaw.
    private func locked(_ body: () -> Void) {
        switch self.flaw {
        case .sendsUnderItsLock: self.sending.withLock(body)
        case .sendsUnderALockPerThread: self.outerLock.withLock(body)
        default: body()
        }
    }

    private func revives() -> Bool {
        guard self.flaw == .goesOnWhenRequestedAfterCancellation else { return false }
        self.subscriber = self.kept
        return self.subscriber != nil
    }

    private var sendsAtOnce: Bool { self.flaw == .recurses || self.flaw == .sendsOnEachThread }

    private func add(_ more: Subscribers.Demand) {
        switch self.flaw {
        case .overwritesDemand: self.demand = more
        case .overflows:
            self.sum = self.sum &+ (more.max ?? .max)
            self.demand = .max(max(0, self.sum))
        case .ignoresDemand: self.demand = .unlimited
        case .sendsOneTooMany: self.demand += more + 1
        // Unlimited is 4,096, which is as good as never used up.
        case .countsUnlimited: self.demand += more == .unlimited ? .max(4_096) : more
        // Unlimited is no number, and what is added to no number is the number.
        case .addsToUnlimited: self.demand = self.demand == .unlimited ? more : self.demand + more
        case .countsInSixteenBits: self.demand += more.max.map { .max(min($0, 65_535)) } ?? .unlimited
        case .sendsForZeroDemand: self.demand += more == .none ? .max(1) : more
        default: self.demand += more
        }
    }

    // MARK: Sending

    private func send() {
        while true {
            self.lock.lock()
            if self.publisher.shared.isStopped { self.subscriber = nil }
            guard let subscriber = self.subscriber else {
                self.isSending = false
                let late = self.flaw == .endsAfterCancellation ? self.kept : nil
                if late != nil { self.kept = nil }
                self.lock.unlock()
                late?.receive(completion: .finished)
                return
            }
            let isOver = self.next >= self.publisher.count || self.flaw == .endsAfterAPause && self.hasPaused
            let isRequested = self.demand > .none || self.flaw != .waitsForARequestToEnd
            if isOver, isRequested { return self.end(subscriber) }
            guard self.demand > .none else {
                if self.flaw == .stopsInTwoSteps {
                    self.lock.unlock()
                    // Long enough to be found in each run, also on a busy machine.
                    for _ in 0..<5 { sched_yield() }
                    self.lock.lock()
                }
                self.isSending = false
                if self.next > 0, !self.hasPaused {
                    self.hasPaused = true
                    if self.flaw == .dropsAfterAPause { self.next += 1 }
                    if self.flaw == .repeatsAfterAPause { self.next -= 1 }
                }
                return self.lock.unlock()
            }
            let element = self.flaw == .swapsElements ? self.next ^ 1 : self.next
            self.next += 1
            self.demand -= 1
            if self.flaw == .overflows { self.sum &-= 1 }
            self.lock.unlock()
            let more = subscriber.receive(element)
            if self.flaw == .ignoresReturnedDemand { continue }
            if self.flaw == .recursesOnReturnedDemand, more > .none {
                self.lock.withLock { self.isSending = false }
                self.request(more)
                return
            }
            if more > .none { self.lock.withLock { self.add(more) } }
        }
    }

    /// Called with the lock held, which it releases.
    private func end(_ subscriber: Downstream) {
        if self.flaw != .sendsAfterTheEnd { self.subscriber = nil }
        let keeps: [Numbers.Flaw] = [.keepsTheSubscription, .endsAgainWhenRequested, .keepsTheSubscriberAfterItsEnd]
        if keeps.contains(self.flaw) { self.kept = subscriber }
        self.isSending = false
        self.lock.unlock()
        if self.flaw == .neverEnds { return }
        if self.flaw == .refusesInsideAnEnd { self.publisher.shared.isEnding = true }
        defer { if self.flaw == .refusesInsideAnEnd { self.publisher.shared.isEnding = false } }
        if let error = self.publisher.error, self.flaw != .forgetsItsFailure {
            subscriber.receive(completion: .failure(error))
        } else {
            subscriber.receive(completion: .finished)
        }
        if self.flaw == .endsTwice { subscriber.receive(completion: .finished) }
        if self.flaw == .sendsAfterTheEnd {
            _ = subscriber.receive(self.publisher.count)
            self.lock.withLock { self.subscriber = nil }
        }
    }
}
#endif
