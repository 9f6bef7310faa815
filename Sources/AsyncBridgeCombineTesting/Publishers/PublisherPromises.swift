// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// What a publisher promises: which scenarios it must pass, and with which result.
///
/// The default is everything that the rules demand of a publisher of any number of elements.
public struct PublisherPromises: Sendable {
    /// What a publisher does with several subscribers.
    @nonexhaustive
    public enum Subscribers: Sendable {
        /// Each subscriber gets all elements, in its own run: the publisher is cold.
        case each

        /// The subscribers share one run, like those of a subject: the publisher is hot.
        case shared

        /// There is one subscriber. A second one is not tried.
        case one
    }

    /// What a publisher that is driven by hand does with elements that were not requested.
    @nonexhaustive
    public enum Unrequested: Sendable {
        /// They are kept until they are requested.
        case kept

        /// They are dropped.
        case dropped

        /// Some are kept; the suite does not check which.
        case unspecified
    }

    /// How many elements the publisher can have: `1...1` for one like `Just`.
    public var counts = 0...Int.max

    /// What the publisher does with several subscribers.
    public var subscribers = Subscribers.each

    /// What a publisher that is driven by hand does with elements that were not requested.
    public var unrequested = Unrequested.kept

    /// How many elements a publisher that is driven by hand keeps: those that were not requested, if it keeps them, and
    /// those that are on their way, if it delivers on a queue.
    ///
    /// At least 4. The suite never makes it keep more.
    public var keptCount = Int.max

    /// Whether the publisher sends only what is requested.
    public var obeysDemand = true

    /// Whether the end comes with the last element, without a further request.
    ///
    /// Not demanded by any rule: a publisher may notice its end at the next request.
    public var finishesWithoutRequest = false

    /// Whether nothing comes after `cancel()` has returned, except one signal that was on its way on another thread.
    ///
    /// `false` for a publisher that passes the cancellation on to a queue: it must stop, but may do so later.
    public var stopsAtOnce = true

    /// Whether the subscriber is released when it has cancelled, while it still holds the subscription.
    public var releasesCancelledSubscriber = true

    /// Whether several threads may request at the same time.
    public var takesRequestsFromThreads = true

    /// Whether a publisher that is driven by hand puts events in order if they come on two threads at the same time.
    public var takesEventsFromThreads = true

    /// Whether `request(.none)` is allowed, and does nothing.
    ///
    /// Combine's own publishers end the process instead.
    public var takesZeroDemand = false

    /// How many elements are requested, each inside the `receive(_:)` of the previous one, on a stack of 512 KiB.
    public var recursionCount = 100_000

    /// How long a publisher may seem to hang before that is reported.
    ///
    /// A correct publisher never makes the suite wait that long. A wrong one does, in each scenario where it hangs, so
    /// the suite may take a minute.
    public var patience = Duration.seconds(2)

    /// Makes the promises of ``standard``.
    public init() {}

    /// Makes a modified copy.
    ///
    /// ```swift
    /// .standard.with { $0.counts = 1...1 }
    /// ```
    ///
    /// - Parameter change: Changes the copy.
    /// - Returns: The copy.
    public func with(_ change: (inout PublisherPromises) -> Void) -> PublisherPromises {
        var copy = self
        change(&copy)
        return copy
    }

    /// The promises that are tested by default: what the rules demand of each publisher.
    ///
    /// Not among them are ``finishesWithoutRequest`` and ``takesZeroDemand``, which no rule demands: a publisher that
    /// promises them adds them.
    public static var standard: PublisherPromises { PublisherPromises() }

    /// The promises of a subject: its subscribers share the elements, and elements that were not requested are dropped.
    public static var subject: PublisherPromises {
        .standard.with {
            $0.subscribers = .shared
            $0.unrequested = .dropped
        }
    }
}
#endif
