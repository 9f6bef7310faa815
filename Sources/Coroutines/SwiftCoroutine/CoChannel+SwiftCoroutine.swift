// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// For those who come from SwiftCoroutine. A function that is declared without `sending` is not one that returns a
// `sending` value, so `channel.map(describe)` needs forms of its own. And an iterator was an `AnyIterator`.

extension CoChannel {
    /// A handle that receives what a function makes of each element.
    ///
    /// - Parameter transform: Called by whoever receives, outside every lock.
    /// - Returns: The handle.
    /// - Complexity: O(1).
    @preconcurrency
    @_disfavoredOverload
    @inlinable
    public func map<NewElement: Sendable>(
        _ transform: @escaping @Sendable (Element) -> NewElement
    ) -> CoChannel<NewElement>.Receiver {
        self.receiver.map(transform)
    }

    /// The elements to come, for a loop in a coroutine; outside a coroutine those that are there.
    ///
    /// - Returns: The iterator of the other form, in a type that hides it.
    /// - Complexity: O(1).
    @_disfavoredOverload
    @inlinable
    public func makeIterator() -> AnyIterator<Element> { AnyIterator(self.makeIterator() as Iterator) }
}

extension CoChannel.Receiver {
    /// A handle that receives what a function makes of each element.
    ///
    /// It keeps this one.
    ///
    /// - Parameter transform: Called by whoever receives, outside every lock.
    /// - Returns: The handle.
    @preconcurrency
    @_disfavoredOverload
    @inlinable
    public func map<NewElement: Sendable>(
        _ transform: @escaping @Sendable (Element) -> NewElement
    ) -> CoChannel<NewElement>.Receiver {
        self.map { element in transform(element) }
    }

    /// The elements to come, for a loop in a coroutine; outside a coroutine those that are there.
    ///
    /// - Returns: The iterator of the other form, in a type that hides it.
    /// - Complexity: O(1).
    @_disfavoredOverload
    @inlinable
    public func makeIterator() -> AnyIterator<Element> { AnyIterator(self.makeIterator() as CoChannel.Iterator) }
}
