// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import OpenCombineShim

extension AsyncStream where Element: Sendable {
    /// A publisher of the stream's elements, for one subscriber.
    ///
    /// ```swift
    /// locations.toPublisher().sink { location in map.show(location) }.store(in: &subscriptions)
    /// ```
    ///
    /// The stream is iterated only when there is a subscriber, and no faster than the subscriber requests elements.
    /// Everything else is as in `publisher(on:priority:)`.
    ///
    /// ## Isolation
    /// The elements arrive on the actor named here, by default that of the calling code, or in Swift's pool if it has
    /// none. The publisher does not keep the actor alive.
    ///
    /// - Parameter actor: The actor to send on; `nil` for Swift's pool. Held weakly.
    /// - Returns: The publisher.
    /// - Complexity: O(1).
    public func toPublisher(on actor: (any Actor)? = #isolation) -> AnyPublisher<Element, Never> {
        self.publisher(on: actor).eraseToAnyPublisher()
    }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
    /// A publisher of the stream's elements and its error, for one subscriber.
    ///
    /// The stream is iterated only when there is a subscriber, and no faster than the subscriber requests elements.
    /// Everything else is as in `publisher(on:priority:)`.
    ///
    /// ## Isolation
    /// The elements arrive on the actor named here, by default that of the calling code, or in Swift's pool if it has
    /// none. The publisher does not keep the actor alive.
    ///
    /// - Parameter actor: The actor to send on; `nil` for Swift's pool. Held weakly.
    /// - Returns: The publisher.
    /// - Complexity: O(1).
    public func toPublisher(on actor: (any Actor)? = #isolation) -> AnyPublisher<Element, any Error> {
        self.publisher(on: actor).eraseToAnyPublisher()
    }
}
#endif
