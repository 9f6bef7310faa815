// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

/// The rules for subscribers as a pure model: what has happened to the subscriber, and what it must have done since.
///
/// What is wrong about a call whenever it comes is seen at that call: see ``RecordingSubscription``.
struct SubscriberModel: Sendable {
    typealias Record = RecordingSubscription.Record

    /// What is wrong.
    struct Finding: Sendable {
        let rule: ReactiveStreamsRule
        let explanation: String
        /// Whether it may yet come.
        let isMissing: Bool
        /// What to do, if that is not what the rule's advice says.
        var advice: String?
    }

    private let promises: SubscriberPromises
    private(set) var isSubscribed = false
    /// Whether `receive(subscription:)` has returned.
    private var isConnected = false
    private(set) var sent = 0
    private(set) var isCancelledByUser = false
    private(set) var end: SubscriberStep.End?

    init(_ promises: SubscriberPromises) { self.promises = promises }

    // MARK: Events

    /// Notes that the subscription is sent.
    ///
    /// - Returns: Whether it may be.
    mutating func subscribe() -> Bool {
        defer { self.isSubscribed = true }
        return !self.isSubscribed
    }

    /// Notes that `receive(subscription:)` has returned.
    mutating func connect() { self.isConnected = true }

    /// Notes that an element is sent.
    ///
    /// - Returns: The element; `nil` if none may be sent.
    mutating func send(_ record: Record) -> Int? {
        guard self.isSubscribed, self.end == nil, record.requested > self.sent else { return nil }
        defer { self.sent += 1 }
        return self.sent
    }

    /// Notes that the end is sent.
    ///
    /// - Returns: Whether it may be.
    mutating func finish(_ end: SubscriberStep.End) -> Bool {
        guard self.isSubscribed, self.end == nil else { return false }
        self.end = end
        return true
    }

    /// Notes that the user cancels.
    ///
    /// - Returns: Whether the user may.
    mutating func cancel() -> Bool {
        guard !self.isCancelledByUser, self.isConnected || self.promises.cancelsEarly else { return false }
        self.isCancelledByUser = true
        return true
    }

    /// Whether the publisher sends nothing more.
    func isOver(_ record: Record) -> Bool { self.end != nil || record.cancels > 0 }

    // MARK: Judging

    /// Judges the calls of the subscription.
    ///
    /// - Returns: What is wrong; `nil` if nothing is.
    func judge(_ record: Record, second: [Record]) -> Finding? {
        if let finding = second.lazy.compactMap({ self.judge(second: $0) }).first { return finding }
        guard self.isSubscribed, self.end == nil else { return nil }
        if self.isCancelledByUser {
            guard record.cancels == 0 else { return nil }
            return Finding(
                rule: .unneededIsCancelled,
                explanation: "expected cancel() of the subscription after the user's cancellation, but it was not "
                    + "called",
                isMissing: true
            )
        }
        guard self.promises.requestsByItself else { return nil }
        if record.cancels > 0 {
            return Finding(
                rule: second.isEmpty ? .demandIsSent : .secondIsCancelled,
                explanation: "expected the subscriber to go on, but it cancelled its subscription by itself",
                isMissing: false,
                advice: second.isEmpty ? Self.goOn : nil
            )
        }
        guard record.requested <= self.sent else { return nil }
        return Finding(
            rule: .demandIsSent,
            explanation: "expected a request after \(self.sent) elements, but \(record.requested) were requested in "
                + "all",
            isMissing: true
        )
    }

    private static let goOn =
        "go on until the end comes or the user cancels; or do not promise requestsByItself, if it takes a few only"

    private func judge(second record: Record) -> Finding? {
        if record.requested > 0 {
            return Finding(
                rule: .secondIsCancelled,
                explanation: "expected nothing to be requested of the second subscription, saw a request",
                isMissing: false
            )
        }
        guard record.cancels != 1 else { return nil }
        return Finding(
            rule: .secondIsCancelled,
            explanation: "expected one cancel() of the second subscription, saw \(record.cancels)",
            isMissing: record.cancels == 0
        )
    }
}
#endif
