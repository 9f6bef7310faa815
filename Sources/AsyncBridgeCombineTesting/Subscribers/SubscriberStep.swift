// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// One event of a history: a signal of the publisher, or a call of the user.
enum SubscriberStep: RandomStep, Equatable {
    enum End: Sendable { case finished, failed }

    /// What happens inside a call of the subscription, before it returns.
    struct Reaction: Equatable, Sendable {
        /// How many elements the publisher sends, of those that are requested.
        var sends = 0
        /// Whether the user cancels.
        var cancels = false
        var end: End?
    }

    /// On which thread a step is done.
    enum Place: Sendable { case here, elsewhere }

    /// The subscription comes, if it has not come.
    case subscribe
    case subscribeAgain
    /// At the next `request(_:)` without a plan, that happens.
    case planRequest(Reaction)
    /// At `cancel()`, that happens.
    case planCancel(Reaction)
    /// The publisher sends so many elements, or as many as are requested.
    case send(Int, Place)
    /// The publisher sends as many as are requested, if that is a number.
    case sendAll(Place)
    case end(End, Place)
    case cancel(Place)
    /// The user cancels on one thread while the publisher sends on another.
    case cancelDuringSend(Int)
    /// The user cancels on one thread while the publisher ends on another.
    case cancelDuringEnd(End)
    /// The publisher forgets the subscriber, if that is over.
    case drop
}

extension SubscriberStep {
    var description: String {
        switch self {
        case .subscribe: "the publisher sends its subscription"
        case .subscribeAgain: "the publisher sends another subscription"
        case .planRequest(let reaction): "at the next request(_:), \(reaction.text), before it returns"
        case .planCancel(let reaction): "at cancel(), \(reaction.text), before it returns"
        case .send(let count, let place): "the publisher sends \(Self.text(count))\(place.text)"
        case .sendAll(let place): "the publisher sends all that is requested\(place.text)"
        case .end(let end, let place): "the publisher \(end.text)\(place.text)"
        case .cancel(let place): "the user cancels\(place.text)"
        case .cancelDuringSend(let count):
            "the user cancels on another thread while the publisher sends \(Self.text(count))"
        case .cancelDuringEnd(let end): "the user cancels on another thread while the publisher \(end.text)"
        case .drop: "the publisher forgets its subscriber, which is over"
        }
    }

    fileprivate static func text(_ count: Int) -> String { count == 1 ? "an element" : "\(count) elements" }

    var simpler: [SubscriberStep] {
        switch self {
        case .planRequest(let reaction): reaction.simpler.map { .planRequest($0) }
        case .planCancel(let reaction): reaction.simpler.map { .planCancel($0) }
        case .send(let count, let place):
            (place == .here ? [] : [.send(count, .here)]) + SubscriberHistory.smaller(count).map { .send($0, place) }
        case .sendAll(let place): [.send(1, .here)] + (place == .here ? [] : [.sendAll(.here)])
        case .end(let end, .elsewhere): [.end(end, .here)]
        case .cancel(.elsewhere): [.cancel(.here)]
        case .cancelDuringSend(let count):
            [.cancel(.here), .cancel(.elsewhere)] + SubscriberHistory.smaller(count).map { .cancelDuringSend($0) }
        case .cancelDuringEnd(let end): [.cancel(.here), .end(end, .here), .end(end, .elsewhere)]
        case .subscribe, .subscribeAgain, .end, .cancel, .drop: []
        }
    }
}

extension SubscriberStep.End {
    fileprivate var text: String { self == .finished ? "finishes" : "fails" }
}

extension SubscriberStep.Place {
    fileprivate var text: String { self == .here ? "" : " on another thread" }
}

extension SubscriberStep.Reaction {
    fileprivate var text: String {
        var parts: [String] = []
        if self.sends > 0 { parts.append("the publisher sends \(SubscriberStep.text(self.sends))") }
        if self.cancels { parts.append("the user cancels") }
        if let end = self.end { parts.append("the publisher \(end.text)") }
        return parts.isEmpty ? "nothing happens" : parts.joined(separator: ", ")
    }

    fileprivate var simpler: [SubscriberStep.Reaction] {
        var all: [SubscriberStep.Reaction] = []
        func add(_ change: (inout SubscriberStep.Reaction) -> Void) {
            var copy = self
            change(&copy)
            if copy != self { all.append(copy) }
        }
        add { $0.sends = 0 }
        add { $0.cancels = false }
        add { $0.end = nil }
        for count in SubscriberHistory.smaller(self.sends) { add { $0.sends = count } }
        return all
    }
}
#endif
