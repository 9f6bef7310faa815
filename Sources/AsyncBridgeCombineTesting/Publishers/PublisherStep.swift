// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// One event of a history: a call of a subscriber, or an event of the source.
enum PublisherStep: RandomStep, Equatable {
    /// What a subscriber does inside one of its methods.
    struct Reaction: Equatable, Sendable {
        var requests: [Int] = []
        /// How many elements the source sends.
        var sends = 0
        var finishes = false
        var cancels = false
        /// The demand that `receive(_:)` returns.
        var returns = 0
    }

    case subscribe(Int, Reaction)
    /// At its next element without a plan, the subscriber does that.
    case plan(Int, Reaction)
    case request(Int, Int)
    case cancel(Int)
    /// The subscriber forgets its subscription, if that is over.
    case drop(Int)
    case send(Int)
    case finish
    case fail
}

extension PublisherStep {
    var description: String {
        switch self {
        case .subscribe(let subscriber, let reaction):
            "\(Self.name(subscriber)) subscribes" + reaction.text(in: "receive(subscription:)")
        case .plan(let subscriber, let reaction):
            "\(Self.name(subscriber)) will do at its next element" + reaction.text(in: "receive(_:)")
        case .request(let subscriber, let count): "\(Self.name(subscriber)) requests \(PublisherTrial.text(of: count))"
        case .cancel(let subscriber): "\(Self.name(subscriber)) cancels"
        case .drop(let subscriber): "\(Self.name(subscriber)) drops its subscription, which is over"
        case .send(let count): "the source sends \(count == 1 ? "an element" : "\(count) elements")"
        case .finish: "the source finishes"
        case .fail: "the source fails"
        }
    }

    static func name(_ subscriber: Int) -> String { "subscriber \(["A", "B", "C"][subscriber])" }
}

extension PublisherStep.Reaction {
    fileprivate func text(in method: String) -> String {
        var parts = self.requests.map { "requests \(PublisherTrial.text(of: $0))" }
        if self.sends > 0 { parts.append("lets the source send \(self.sends)") }
        if self.finishes { parts.append("lets the source finish") }
        if self.cancels { parts.append("cancels") }
        if self.returns > 0 { parts.append("returns demand for \(PublisherTrial.text(of: self.returns))") }
        return parts.isEmpty ? "" : ", and inside \(method) " + parts.joined(separator: ", ")
    }
}
#endif
