// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Foundation
import MutationTestSupport
import OpenCombineShim

/// A run of a publisher: a subscription that sends what is requested of what it has; right, but for its faults.
///
/// Safe: what changes is changed between `lock()` and `unlock()`.
final class MutatedRun: Subscription, @unchecked Sendable {
    typealias Downstream = AnySubscriber<Int, SourceError>

    /// What is to be sent.
    private enum Source {
        case numbers(Range<Int>)
        case kept(ArraySlice<Int>)
    }

    static let sites: [Site] = [
        .call("send the subscription", unseen: [.elsewhere]),
        .number("a request", isRepeated: true),
        .wake("send after a request", isRepeated: true),
        .number("returned demand", isRepeated: true),
        .decision("demand is unlimited", isRepeated: true),
        .decision("it sends already", isRepeated: true),
        .change("note that it sends", isRepeated: true),
        .change("note that it has stopped", isRepeated: true),
        .decision("there is demand", isRepeated: true),
        .decision("there is an element", isRepeated: true),
        .number("count down", isRepeated: true, unseen: [.zero]),
        .number("the element", isRepeated: true),
        .change("take an element out", isRepeated: true),
        .call("send an element", isRepeated: true),
        .decision("unlock before an element", isRepeated: true),
        .decision("all is sent", isRepeated: true),
        .release("forget the subscriber at the end"),
        .call("send the end", unseen: [.elsewhere]),
        .decision("a failure stays one"),
        .nothing("nothing after the end", .wrongCall),
        .release("forget the subscriber at cancel()"),
        .nothing("nothing at cancel()", .wrongCall),
    ]

    /// Why some are not named.
    static let reasons = [
        "note that it sends: forget":
            "once only, it takes a second thread, or an element sent inside another, in just that round",
        "it sends already: negate": "the first round may come when there is nothing to send",
        "the element: fewer": "the first element is 0: there is none before it",
        "the element: zero": "the first element is 0",
    ]

    private let faults: Faults
    private let lock = NSLock()
    private var source: Source
    private var end: Subscribers.Completion<SourceError>?
    private var subscriber: Downstream?
    /// `.max` is unlimited.
    private var demand = 0
    private var isSending = false

    /// A run of numbers, and of an end.
    init(_ numbers: Range<Int>, _ end: Subscribers.Completion<SourceError>, _ faults: Faults) {
        self.source = .numbers(numbers)
        self.end = end
        self.faults = faults
    }

    /// A run of what comes.
    init(_ faults: Faults) {
        self.source = .kept([])
        self.faults = faults
    }

    func attach(_ subscriber: Downstream) {
        self.lock.withLock { self.subscriber = subscriber }
        self.faults.call(
            "send the subscription",
            instead: { subscriber.receive(completion: .finished) },
            { subscriber.receive(subscription: self) }
        )
    }

    // MARK: The source

    func take(_ element: Int) {
        self.lock.withLock {
            guard self.faults.decision("it has not ended", self.end == nil), case .kept(var kept) = self.source else {
                return
            }
            self.faults.change("keep an element") { kept.append(element) }
            self.source = .kept(kept)
        }
        self.faults.call("send after an element") { self.send() }
    }

    func finish(_ end: Subscribers.Completion<SourceError>) {
        self.lock.withLock {
            guard self.faults.decision("it is the first end", self.end == nil) else { return }
            self.faults.change("note the end") { self.end = end }
        }
        self.faults.call("send after the end") { self.send() }
    }

    // MARK: The subscriber

    func request(_ more: Subscribers.Demand) {
        let more = self.faults.number("a request", more.max ?? .max)
        self.lock.withLock { self.add(more) }
        self.faults.call("send after a request") { self.send() }
    }

    func cancel() {
        let subscriber = self.lock.withLock { self.subscriber }
        self.lock.withLock {
            self.faults.release("forget the subscriber at cancel()", subscriber) { self.subscriber = nil }
        }
        self.faults.nothing("nothing at cancel()") { subscriber?.receive(completion: .finished) }
    }

    /// Called with the lock held.
    private func add(_ more: Int) {
        guard !self.faults.decision("demand is unlimited", self.demand == .max || more == .max) else {
            return self.demand = .max
        }
        let (sum, isTooMuch) = self.demand.addingReportingOverflow(more)
        self.demand = isTooMuch ? .max : sum
    }

    // MARK: Sending

    private func send() {
        self.lock.lock()
        if self.faults.decision("it sends already", self.isSending) { return self.lock.unlock() }
        self.faults.change("note that it sends") { self.isSending = true }
        while let subscriber = self.subscriber {
            let isWanted = self.faults.decision("there is demand", self.demand > 0)
            let hasElement = self.faults.decision("there is an element", self.first != nil)
            if isWanted, hasElement {
                self.sendElement(subscriber)
            } else if let end = self.end, self.faults.decision("all is sent", self.first == nil) {
                self.send(end, subscriber)
            } else {
                break
            }
        }
        self.faults.change("note that it has stopped") { self.isSending = false }
        self.lock.unlock()
    }

    /// Called with the lock held, which is held afterwards.
    private func sendElement(_ subscriber: Downstream) {
        let element = self.faults.number("the element", self.first ?? 0)
        self.faults.change("take an element out") { self.removeFirst() }
        let used = self.faults.number("count down", 1)
        if self.demand < .max { self.demand = max(0, self.demand - used) }
        let unlocks = self.faults.decision("unlock before an element", true)
        if unlocks { self.lock.unlock() }
        self.faults.call("send an element", instead: { subscriber.receive(completion: .finished) }) {
            let more = subscriber.receive(element)
            let added = self.faults.number("returned demand", more.max ?? .max)
            if unlocks { self.lock.withLock { self.add(added) } } else { self.add(added) }
        }
        if unlocks { self.lock.lock() }
    }

    /// Called with the lock held, which is held afterwards.
    private func send(_ end: Subscribers.Completion<SourceError>, _ subscriber: Downstream) {
        self.faults.release("forget the subscriber at the end", subscriber) { self.subscriber = nil }
        self.lock.unlock()
        let isPassedOn = self.faults.decision("a failure stays one", true)
        self.faults.call("send the end", instead: { _ = subscriber.receive(0) }) {
            subscriber.receive(completion: isPassedOn ? end : .finished)
        }
        self.faults.nothing("nothing after the end") { _ = subscriber.receive(0) }
        self.lock.lock()
    }

    private var first: Int? {
        switch self.source {
        case .numbers(let numbers): numbers.first
        case .kept(let kept): kept.first
        }
    }

    private func removeFirst() {
        switch self.source {
        case .numbers(let numbers): self.source = .numbers(numbers.dropFirst())
        case .kept(let kept): self.source = .kept(kept.dropFirst())
        }
    }
}

/// A cold publisher of numbers.
struct MutatedNumbers: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    let count: Int
    var end = Subscribers.Completion<SourceError>.finished
    let mutant: Mutant?

    static let reference = Reference("cold publisher", MutatedRun.sites)

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        MutatedRun(0..<self.count, self.end, Faults(self.mutant)).attach(AnySubscriber(subscriber))
    }
}

/// A publisher of what its driver sends, for one subscriber.
struct MutatedRelay: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    private let run: MutatedRun

    static let reference = Reference(
        "driven publisher",
        MutatedRun.sites + [
            .decision("it has not ended", isRepeated: true),
            .change("keep an element", isRepeated: true),
            .wake("send after an element", isRepeated: true),
            .decision("it is the first end"),
            .change("note the end"),
            .wake("send after the end"),
        ]
    )

    init(_ driver: PublisherDriver, _ mutant: Mutant?) {
        let run = MutatedRun(Faults(mutant))
        self.run = run
        driver.onEvent { event in
            switch event {
            case .element(let element): run.take(element)
            case .finished: run.finish(.finished)
            case .failed(let error): run.finish(.failure(error))
            @unknown default: break
            }
        }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        self.run.attach(AnySubscriber(subscriber))
    }
}
#endif
