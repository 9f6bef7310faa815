// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Foundation
import OpenCombineShim

/// A publisher for one subscriber that keeps what comes until it is requested, right but for the flaw that it is given.
///
/// Safe: what changes is changed between `lock()` and `unlock()`.
final class Relay: Publisher, Subscription, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = SourceError

    enum Flaw: Sendable {
        case none
        case dropsUnrequested
        case sendsUnrequested
        case sendsOnEachThread
        case sendsUnderItsLock
        case endsUnderItsLock
        case forgetsItsBufferAtTheEnd
        case ignoresCancellation
        case endsAfterCancellation
        case finishesInsteadOfFailing
        case endsAgain
        case endOvertakes
        case endsInCancel
        case neverEnds
        case keepsOneElement
        case keepsTheSubscriber
        case losesWakeUps
        case stopsInTwoSteps
        case addsToUnlimited
        case countsUnlimited
        case keepsOneTooFew
        case keepsTenThousand
        case keepsTheLastTwentyThousand
        case discardsWhenItFails
        case nestedElementsOvertake
        case busyThreadsRepeat
        case busyThreadsOvertake
        case keepsTheSubscriberAfterItsEnd
        case knowsItsSubscriberLate
    }

    /// How many elements the one keeps that should keep eight.
    private static let room = 7

    private let flaw: Flaw
    private let lock = NSLock()
    private let outerLock = NSRecursiveLock()
    /// Held while the end is sent, if that is the flaw.
    private let endLock = NSLock()
    private var subscriber: AnySubscriber<Int, SourceError>?
    private var kept: AnySubscriber<Int, SourceError>?
    private var buffer: [Int] = []
    private var end: Subscribers.Completion<SourceError>?
    private var demand = Subscribers.Demand.none
    private var isSending = false
    private var sender: Thread?
    private var isCancelled = false

    init(_ driver: PublisherDriver, flaw: Flaw = .none) {
        self.flaw = flaw
        driver.onEvent { event in
            switch event {
            case .element(let element): self.take(element)
            case .finished: self.finish(.finished)
            case .failed(let error): self.finish(.failure(error))
            @unknown default: break
            }
        }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        if self.flaw == .knowsItsSubscriberLate { subscriber.receive(subscription: self) }
        self.lock.withLock {
            self.subscriber = AnySubscriber(subscriber)
            if self.flaw == .endsInCancel { self.kept = self.subscriber }
        }
        if self.flaw != .knowsItsSubscriberLate { subscriber.receive(subscription: self) }
    }

    // MARK: The source

    private func take(_ element: Int) {
        self.lock.lock()
        let isUnwanted =
            self.flaw == .dropsUnrequested && self.demand == .none
            || self.flaw == .knowsItsSubscriberLate && self.subscriber == nil
        if self.end == nil, !self.isCancelled || self.flaw == .ignoresCancellation, !isUnwanted {
            if self.flaw == .keepsOneElement { self.buffer = [] }
            self.keep(element)
        }
        self.lock.unlock()
        self.send()
    }

    /// Called with the lock held.
    private func keep(_ element: Int) {
        let isNested = self.isSending && self.sender == Thread.current
        let isBusy = self.isSending && !isNested
        switch self.flaw {
        case .keepsOneTooFew where self.demand == .none && self.buffer.count >= Self.room: break
        case .keepsTenThousand where self.buffer.count >= 10_000: break
        case .keepsTheLastTwentyThousand where self.buffer.count >= 20_000:
            self.buffer.removeFirst()
            self.buffer.append(element)
        case .nestedElementsOvertake where isNested: self.buffer.insert(element, at: 0)
        case .busyThreadsOvertake where isBusy: self.buffer.insert(element, at: 0)
        case .busyThreadsRepeat where isBusy: self.buffer += [element, element]
        default: self.buffer.append(element)
        }
    }

    /// Called with the lock held.
    private func add(_ more: Subscribers.Demand) {
        switch self.flaw {
        case .addsToUnlimited where self.demand == .unlimited: self.demand = more
        case .countsUnlimited where more == .unlimited: self.demand += 4_096
        default: self.demand += more
        }
    }

    private func finish(_ end: Subscribers.Completion<SourceError>) {
        self.lock.lock()
        let isFirst = self.end == nil
        if isFirst { self.end = end }
        if self.flaw == .endOvertakes, isFirst, self.buffer.isEmpty, let subscriber = self.subscriber {
            self.subscriber = nil
            self.lock.unlock()
            return subscriber.receive(completion: end)
        }
        if self.flaw == .forgetsItsBufferAtTheEnd { self.buffer = [] }
        if self.flaw == .discardsWhenItFails, case .failure = end { self.buffer = [] }
        let late = isFirst && self.flaw != .endsAgain ? nil : self.subscriber ?? self.kept
        self.lock.unlock()
        if self.flaw == .endsAgain, !isFirst { late?.receive(completion: end) }
        self.send()
    }

    // MARK: The subscriber

    func request(_ more: Subscribers.Demand) {
        if self.flaw == .endsUnderItsLock { self.endLock.withLock {} }
        if self.flaw == .sendsUnderItsLock { self.outerLock.lock() }
        self.lock.withLock { self.add(more) }
        if self.flaw == .sendsUnderItsLock { self.outerLock.unlock() }
        self.send()
    }

    func cancel() {
        if self.flaw == .endsUnderItsLock { self.endLock.withLock {} }
        if self.flaw == .sendsUnderItsLock { self.outerLock.lock() }
        self.lock.withLock {
            if self.flaw == .endsAfterCancellation || self.flaw == .keepsTheSubscriber { self.kept = self.subscriber }
            if self.flaw != .ignoresCancellation { self.subscriber = nil }
            self.isCancelled = true
            self.buffer = []
        }
        if self.flaw == .sendsUnderItsLock { self.outerLock.unlock() }
        if self.flaw == .endsAfterCancellation { self.send() }
        if self.flaw == .endsInCancel { self.kept?.receive(completion: .finished) }
    }

    // MARK: Sending

    private func send() {
        if self.flaw == .sendsUnderItsLock { self.outerLock.lock() }
        defer { if self.flaw == .sendsUnderItsLock { self.outerLock.unlock() } }
        self.lock.lock()
        if self.isSending, self.flaw != .sendsOnEachThread { return self.lock.unlock() }
        self.isSending = true
        self.sender = .current
        while let subscriber = self.subscriber {
            let isWanted = self.demand > .none || self.flaw == .sendsUnrequested
            if isWanted, !self.buffer.isEmpty {
                let element = self.buffer.removeFirst()
                if self.demand > .none { self.demand -= 1 }
                self.lock.unlock()
                let more = subscriber.receive(element)
                self.lock.lock()
                if more > .none { self.add(more) }
                if self.flaw == .losesWakeUps { break }
            } else if let end = self.end, self.buffer.isEmpty, self.flaw != .neverEnds {
                self.subscriber = nil
                if [.endsAgain, .keepsTheSubscriberAfterItsEnd].contains(self.flaw) { self.kept = subscriber }
                self.lock.unlock()
                let isFinished = self.flaw == .finishesInsteadOfFailing
                if self.flaw == .endsUnderItsLock { self.endLock.lock() }
                subscriber.receive(completion: isFinished ? .finished : end)
                if self.flaw == .endsUnderItsLock { self.endLock.unlock() }
                self.lock.lock()
            } else {
                break
            }
        }
        if self.flaw == .stopsInTwoSteps {
            self.lock.unlock()
            // Long enough for the other thread, also on a busy machine.
            usleep(100)
            self.lock.lock()
        }
        self.isSending = false
        let late = self.flaw == .endsAfterCancellation && self.end != nil ? self.kept : nil
        if late != nil { self.kept = nil }
        self.lock.unlock()
        late?.receive(completion: .finished)
    }
}
#endif
