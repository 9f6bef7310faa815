// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// What a subscriber promises: which scenarios it must pass.
///
/// The default is everything that the rules demand.
public struct SubscriberPromises: Sendable {
    /// Whether the subscriber requests elements by itself, at once and repeatedly.
    public var requestsByItself = true

    /// Whether the returned closure cancels the subscription.
    public var cancels = true

    /// Whether a cancellation counts for a subscription that comes after it.
    ///
    /// `false` for OpenCombine's `sink`, which forgets one that comes before its subscription, and for some of its
    /// operators, which take another subscription afterwards.
    public var cancelsEarly = true

    /// Whether the subscriber survives signals that no correct publisher sends: too many elements, elements after the
    /// end, an end without a subscription.
    ///
    /// `false` for one that then traps: it would end the process.
    public var survivesMisuse = true

    /// How long a subscriber may seem to hang before that is reported.
    ///
    /// A correct subscriber never makes the suite wait that long.
    public var patience = Duration.seconds(2)

    /// Makes the promises of ``standard``.
    public init() {}

    /// Makes a modified copy.
    ///
    /// - Parameter change: Changes the copy.
    /// - Returns: The copy.
    public func with(_ change: (inout SubscriberPromises) -> Void) -> SubscriberPromises {
        var copy = self
        change(&copy)
        return copy
    }

    /// The promises that are tested by default, which are all: what the rules demand of each subscriber.
    public static var standard: SubscriberPromises { SubscriberPromises() }
}

extension SubscriberPromises {
    /// What ``standard`` promises and these do not, for reports.
    var notMade: [String] {
        let all: [(String, Bool)] = [
            ("requestsByItself", self.requestsByItself), ("cancels", self.cancels),
            // Means nothing without the other.
            ("cancelsEarly", self.cancelsEarly || !self.cancels), ("survivesMisuse", self.survivesMisuse),
        ]
        return all.filter { !$0.1 }.map(\.0)
    }
}
#endif
