// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import OpenCombineShim

extension AsyncStream where Element: Sendable {
    /// A publisher of the stream's elements, for one subscriber.
    ///
    /// The stream is iterated only when there is a subscriber, and no faster than the subscriber requests elements.
    /// Everything else is as in `publisher(on:executor:priority:)`, which says where the elements arrive.
    ///
    /// - Returns: The publisher.
    /// - Complexity: O(1).
    public func toPublisher() -> AnyPublisher<Element, Never> { self.publisher().eraseToAnyPublisher() }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
    /// A publisher of the stream's elements and its error, for one subscriber.
    ///
    /// The stream is iterated only when there is a subscriber, and no faster than the subscriber requests elements.
    /// Everything else is as in `publisher(on:executor:priority:)`, which says where the elements arrive.
    ///
    /// - Returns: The publisher.
    /// - Complexity: O(1).
    public func toPublisher() -> AnyPublisher<Element, any Error> { self.publisher().eraseToAnyPublisher() }
}
#endif
