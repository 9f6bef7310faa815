// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// Which of a publisher's elements to wait for.
@nonexhaustive
public enum PublisherValue: Sendable, Hashable {
    /// The first one; then the subscription is cancelled. If the publisher ends without an element, that is an error.
    case first

    /// The last one before the publisher finishes. If the publisher ends without an element, that is an error.
    case last

    /// The only one. A second element is an error, and so is the lack of one.
    case single
}
#endif
