// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// For code written for SwiftCoroutine. A function declared without `sending` does not return a `sending` value, so
// `channel.map(describe)` needs separate forms. And an iterator was an `AnyIterator`.

extension CoChannel {
    /// A handle that receives the elements as a function transforms them.
    ///
    /// - Parameter transform: Called by the receiving code, outside every lock.
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

    /// The elements to come, for a loop in a coroutine; outside a coroutine only the available ones.
    ///
    /// - Returns: The iterator of the other form, in a type that hides it.
    /// - Complexity: O(1).
    @_disfavoredOverload
    @inlinable
    public func makeIterator() -> AnyIterator<Element> { AnyIterator(self.makeIterator() as Iterator) }
}

extension CoChannel.Receiver {
    /// A handle that receives the elements as a function transforms them.
    ///
    /// It keeps this handle alive.
    ///
    /// - Parameter transform: Called by the receiving code, outside every lock.
    /// - Returns: The handle.
    @preconcurrency
    @_disfavoredOverload
    @inlinable
    public func map<NewElement: Sendable>(
        _ transform: @escaping @Sendable (Element) -> NewElement
    ) -> CoChannel<NewElement>.Receiver {
        self.map { element in transform(element) }
    }

    /// The elements to come, for a loop in a coroutine; outside a coroutine only the available ones.
    ///
    /// - Returns: The iterator of the other form, in a type that hides it.
    /// - Complexity: O(1).
    @_disfavoredOverload
    @inlinable
    public func makeIterator() -> AnyIterator<Element> { AnyIterator(self.makeIterator() as CoChannel.Iterator) }
}
