// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Foundation
import OpenCombineShim

/// A subject that keeps its subscribers in a list, right but for the flaw that it is given.
///
/// Safe: what changes is changed under the lock; the suite sends on one thread at a time.
final class ListSubject: Publisher, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = SourceError

    enum Flaw: Sendable {
        case sendsToAllItHad
        case removesByPlace
        case ignoresLateOnes
        case copiesDemand
        case replaysItsLast
        case numbersByCount
        case staysBusyAlone
        case forgetsItsEndAlone
        case notesItsEndLate
        case losesThoseThatComeInside
        case endsAllItHad
        case keepsItsLastEnd
        case addsInTwoSteps
        case removesInTwoSteps
        case walksItsList
    }

    private let flaw: Flaw
    private let lock = NSLock()
    private var members: [Member] = []
    private var last: Int?
    private var isSending = false
    private var end: Subscribers.Completion<SourceError>?

    init(_ driver: PublisherDriver, _ flaw: Flaw) {
        self.flaw = flaw
        driver.onEvent { event in
            switch event {
            case .element(let element): self.send(element)
            case .finished: self.finish(.finished)
            case .failed(let error): self.finish(.failure(error))
            @unknown default: break
            }
        }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        let before = self.lock.withLock { self.members }
        if self.flaw == .addsInTwoSteps { Self.stayBetweenSteps() }
        let (member, end) = self.lock.withLock {
            if self.flaw == .addsInTwoSteps, self.end == nil { self.members = before }
            let member = Member(self, AnySubscriber(subscriber), place: self.members.count)
            if self.end == nil, !self.forgets() { self.add(member) }
            return (member, self.end)
        }
        subscriber.receive(subscription: member)
        if let end { self.take(member)?.receive(completion: end) }
    }

    /// Makes the gap between the two steps of a flaw wide enough for the other thread to come in most rounds.
    private static func stayBetweenSteps() { usleep(50) }

    /// Called with the lock held.
    private func forgets() -> Bool {
        switch self.flaw {
        case .ignoresLateOnes: self.last != nil && !self.members.isEmpty
        case .losesThoseThatComeInside: self.isSending
        default: false
        }
    }

    /// Called with the lock held.
    private func add(_ member: Member) {
        if self.flaw == .numbersByCount { self.members.removeAll { $0.place == member.place } }
        if self.flaw == .copiesDemand, self.last != nil, self.members.contains(where: { $0.demand == .unlimited }) {
            member.demand = .unlimited
        }
        self.members.append(member)
    }

    private func send(_ element: Int) {
        let isBusy = self.lock.withLock {
            defer { self.isSending = true }
            return self.isSending
        }
        if isBusy, self.flaw == .staysBusyAlone { return }
        let all = self.lock.withLock {
            self.last = element
            return self.members.map { ($0, $0.subscriber) }
        }
        defer { if !all.isEmpty { self.lock.withLock { self.isSending = false } } }
        if self.flaw == .walksItsList { return self.walk(sending: element) }
        for (member, before) in all {
            let subscriber = self.lock.withLock { () -> AnySubscriber<Int, SourceError>? in
                guard member.demand > .none else { return nil }
                member.demand -= 1
                return self.flaw == .sendsToAllItHad ? before : member.subscriber
            }
            let more = subscriber?.receive(element) ?? .none
            self.lock.withLock { member.demand += more }
        }
    }

    /// Sends to the members of the list that there is, by their places, which are others when one leaves.
    private func walk(sending element: Int) {
        var place = 0
        while let member = self.lock.withLock({ place < self.members.count ? self.members[place] : nil }) {
            _ = self.lock.withLock { member.subscriber }?.receive(element)
            place += 1
        }
    }

    private func finish(_ end: Subscribers.Completion<SourceError>) {
        let all = self.lock.withLock {
            defer { self.members = [] }
            let forgets = self.flaw == .forgetsItsEndAlone && self.members.isEmpty || self.flaw == .notesItsEndLate
            if self.end == nil && !forgets || self.flaw == .keepsItsLastEnd { self.end = end }
            return self.members.map { ($0, self.flaw == .endsAllItHad ? $0.subscriber : nil) }
        }
        for (member, before) in all { (self.take(member) ?? before)?.receive(completion: end) }
        if self.flaw == .notesItsEndLate { self.lock.withLock { self.end = self.end ?? end } }
    }

    private func take(_ member: Member) -> AnySubscriber<Int, SourceError>? {
        self.lock.withLock {
            defer { member.subscriber = nil }
            return member.subscriber
        }
    }

    private func remove(_ member: Member) {
        // Released outside the lock.
        let others = self.lock.withLock { self.members.filter { $0 !== member } }
        if self.flaw == .removesInTwoSteps { Self.stayBetweenSteps() }
        let removed = self.lock.withLock { () -> [Member] in
            if self.flaw == .removesInTwoSteps { self.members = self.end == nil ? others : [] }
            if self.flaw == .removesByPlace {
                return self.members.indices.contains(member.place) ? [self.members.remove(at: member.place)] : []
            }
            self.members.removeAll { $0 === member }
            return [member]
        }
        let subscriber = self.take(member)
        withExtendedLifetime((removed, subscriber)) {}
    }

    /// Safe: what changes is changed under the subject's lock.
    private final class Member: Subscription, @unchecked Sendable {
        private let subject: ListSubject
        let place: Int
        var subscriber: AnySubscriber<Int, SourceError>?
        var demand = Subscribers.Demand.none
        private var hasReplayed = false

        init(_ subject: ListSubject, _ subscriber: AnySubscriber<Int, SourceError>, place: Int) {
            self.subject = subject
            self.subscriber = subscriber
            self.place = place
        }

        func request(_ more: Subscribers.Demand) {
            let (old, subscriber) = self.subject.lock.withLock { () -> (Int?, AnySubscriber<Int, SourceError>?) in
                self.demand += more
                guard self.subject.flaw == .replaysItsLast, !self.hasReplayed else { return (nil, nil) }
                self.hasReplayed = true
                if self.subject.last != nil { self.demand -= 1 }
                return (self.subject.last, self.subscriber)
            }
            if let old { _ = subscriber?.receive(old) }
        }

        func cancel() { self.subject.remove(self) }
    }
}
#endif
