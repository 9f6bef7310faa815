// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

/// The contract as a pure model: what the source has sent, and what each subscriber must, may and must not have got.
///
/// Demand, serial signals, and what comes after the end or the cancellation are judged at each signal: see
/// ``ProbeState``.
struct PublisherModel: Sendable {
    /// What has been seen of a subscriber.
    struct Seen: Sendable {
        let received: Int
        let requested: Int
        let isSubscribed: Bool
        let isOver: Bool

        init(_ state: ProbeState) {
            self.received = state.elements.count
            self.requested = state.requested
            self.isSubscribed = state.subscriptions > 0
            self.isOver = state.isCancelled || !state.ends.isEmpty
        }
    }

    /// What becomes of an element at one subscriber.
    private enum Fate { case must, may, never }

    /// What is wrong.
    struct Finding: Sendable {
        let rule: ReactiveStreamsRule?
        let law: Law
        let explanation: String
        /// Whether it may yet come.
        let isMissing: Bool
        /// What to do, if more can be said than for most.
        var advice: String?
    }

    enum End: Sendable { case finished, failed }

    private let promises: PublisherPromises
    private let isCold: Bool
    private let keeps: Bool
    private(set) var sent: Int
    private(set) var end: End?
    /// For each subscriber and each element that was sent; empty if elements are kept: then all come.
    private var fates: [[Fate]]
    /// How many elements each subscriber has got, or may get for what it has requested.
    private var owed: [Int]
    /// Whether elements may have been kept or not.
    private var isUnsure = false

    init(_ source: PublisherHistory.Source, _ promises: PublisherPromises, subscribers: Int) {
        self.promises = promises
        self.isCold = source != .driven
        switch source {
        case .cold(let count, let fails):
            self.keeps = true
            self.sent = count
            self.end = fails ? .failed : .finished
        case .driven:
            self.keeps = promises.unrequested == .kept
            self.sent = 0
        }
        self.fates = Array(repeating: [], count: subscribers)
        self.owed = Array(repeating: 0, count: subscribers)
    }

    // MARK: Events

    /// Notes that the source sends an element.
    ///
    /// - Parameters:
    ///   - seen: The subscribers.
    ///   - isInside: Whether it is sent inside `receive(_:)`: the demand that this returns may count or not.
    /// - Returns: The element; `nil` if it must not be sent, since more than promised would have to be kept.
    mutating func send(_ seen: [Seen], isInside: Bool) -> Int? {
        if self.keeps {
            let slowest = seen.filter { $0.isSubscribed && !$0.isOver }.map(\.received).min() ?? self.sent
            guard self.end != nil || self.sent - slowest < self.promises.keptCount else { return nil }
        }
        guard self.end == nil else { return self.sent }
        defer { self.sent += 1 }
        if self.keeps { return self.sent }
        // Those that were sent before may be on their way yet.
        let owed = seen.indices.map { max(seen[$0].received, self.owed[$0]) }
        let isUnrequested = seen.indices.contains {
            seen[$0].isSubscribed && !seen[$0].isOver && seen[$0].requested <= owed[$0]
        }
        for index in seen.indices {
            let fate = self.fate(at: seen[index], owed: owed[index], isInside)
            self.fates[index].append(fate)
            if fate != .never, seen[index].isSubscribed { self.owed[index] = owed[index] + 1 }
        }
        if isUnrequested, self.promises.unrequested == .unspecified { self.isUnsure = true }
        return self.sent
    }

    private func fate(at seen: Seen, owed: Int, _ isInside: Bool) -> Fate {
        if seen.isOver { return .never }
        // What is kept may go to those that come later.
        if !seen.isSubscribed { return self.promises.unrequested == .dropped ? .never : .may }
        if self.isUnsure { return .may }
        // Inside `receive(_:)` others that were sent there may wait for the same demand.
        if isInside, seen.requested < Probe.unlimited { return .may }
        if seen.requested > owed { return .must }
        if seen.requested > seen.received || isInside || !self.promises.obeysDemand { return .may }
        return self.promises.unrequested == .unspecified ? .may : .never
    }

    /// Notes that the source ends.
    mutating func finish(_ end: End) { if self.end == nil { self.end = end } }

    // MARK: Judging

    /// Judges what a subscriber has got.
    ///
    /// - Returns: What is wrong; `nil` if nothing is.
    func judge(_ index: Int, _ state: ProbeState) -> Finding? {
        let seen = Seen(state)
        guard seen.isSubscribed else {
            return self.missing(.subscriptionIsFirst, "expected receive(subscription:), but it was not called")
        }
        if state.isCancelled, !self.promises.stopsAtOnce { return nil }
        if let wrong = self.keeps ? self.judgeOrder(state) : self.judgeFates(index, state) { return wrong }
        if state.isCancelled { return nil }
        if let end = state.ends.first { return self.judge(end, state) }
        if self.keeps, state.elements.count < min(state.requested, self.sent) {
            return self.missing(
                state.requested == Probe.unlimited ? .demandIsUnbounded : .demandIsAdded,
                "expected \(min(state.requested, self.sent)) elements after requests for "
                    + "\(PublisherTrial.text(of: state.requested)), saw \(state.elements.count)"
            )
        }
        guard let end = self.end else { return nil }
        // Without a request only if it comes with the last element.
        let comesAlong = self.isCold && self.promises.finishesWithoutRequest && !state.elements.isEmpty
        let isDue = state.requested > state.elements.count || comesAlong && state.elements.count == self.sent
        guard isDue else { return nil }
        return self.missing(
            end == .finished ? .finishIsSent : .failureIsSent,
            "expected the \(end == .finished ? "end" : "failure") after the last element, but it did not come"
        )
    }

    /// Whether a signal may come at any moment, without a further request: an element that was requested, or the end.
    func maySendByItself(_ state: ProbeState) -> Bool {
        let received = state.elements.count
        if received < min(state.requested, self.sent) { return true }
        return self.isCold && self.end != nil && state.ends.isEmpty && received == self.sent
    }

    /// All elements come, in order.
    private func judgeOrder(_ state: ProbeState) -> Finding? {
        let seen = state.elements
        guard let index = seen.indices.first(where: { seen[$0] != $0 }) else {
            guard seen.count > self.sent else { return nil }
            return self.wrong(.once, "expected \(self.sent) elements, saw \(seen.count)")
        }
        let isRepeated = seen[..<index].contains(seen[index])
        return self.wrong(
            isRepeated || index < self.sent && seen.contains(index) ? .order : .backPressure,
            "expected the element \(index), saw \(seen[index])\(isRepeated ? " again" : "")"
        )
    }

    /// Elements that had to come have come, in order, and those that must not have not.
    private func judgeFates(_ index: Int, _ state: ProbeState) -> Finding? {
        let fates = self.fates[index]
        var next = 0
        for element in state.elements {
            guard element >= next else {
                return self.wrong(.order, "expected no element twice and none after a later one, saw \(element)")
            }
            guard element < fates.count, fates[element] != .never else {
                return self.wrong(
                    .backPressure,
                    "expected the element \(element) to be dropped, but it came",
                    advice: "drop what comes while nothing is requested; or promise that it is kept, unrequested"
                )
            }
            if let lost = fates[next..<element].firstIndex(of: .must) {
                return self.wrong(.backPressure, "expected the element \(lost), saw \(element)")
            }
            next = element + 1
        }
        guard !state.isCancelled, let lost = fates[next...].firstIndex(of: .must) else { return nil }
        let rule: ReactiveStreamsRule = state.requested == Probe.unlimited ? .demandIsUnbounded : .demandIsAdded
        return Finding(
            rule: rule,
            law: rule.law,
            explanation: "expected the element \(lost), which was requested, but it did not come",
            isMissing: state.ends.isEmpty
        )
    }

    private func judge(_ seen: ProbeState.End, _ state: ProbeState) -> Finding? {
        guard let end = self.end else {
            return self.wrong(
                .once,
                "expected no end before that of the source, saw \(seen)",
                rule: .finishIsSent,
                advice: "send the end when the source has ended, and not when the buffer or the demand is used up"
            )
        }
        if self.keeps, state.elements.count < self.sent {
            return self.wrong(
                .backPressure,
                "expected all \(self.sent) elements before \(seen), saw \(state.elements.count): those that were kept "
                    + "are lost"
            )
        }
        switch (seen, end) {
        case (.finished, .finished), (.failed, .failed): return nil
        case (.finished, .failed):
            return self.wrong(.errors, "expected the source's failure, saw the end", rule: .failureIsSent)
        case (.failed, .finished):
            return self.wrong(.neverLost, "expected the end, saw \(seen)", rule: .finishIsSent)
        }
    }

    private func missing(_ rule: ReactiveStreamsRule, _ explanation: String) -> Finding {
        Finding(rule: rule, law: rule.law, explanation: explanation, isMissing: true)
    }

    private func wrong(
        _ law: Law,
        _ explanation: String,
        rule: ReactiveStreamsRule? = nil,
        advice: String? = nil
    ) -> Finding {
        Finding(rule: rule, law: rule?.law ?? law, explanation: explanation, isMissing: false, advice: advice)
    }
}
#endif
