// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeFutures
public import Coroutines

// For code written for SwiftCoroutine, where an iterator was an `AnyIterator`.

extension CoChannel {
    /// The elements still to come, for a loop in a coroutine; outside a coroutine, only those available now.
    ///
    /// - Returns: The iterator of the other form, in a type that hides it.
    /// - Complexity: O(1).
    @_disfavoredOverload
    @inlinable
    public func makeIterator() -> AnyIterator<Element> { AnyIterator(self.makeIterator() as Iterator) }
}

extension CoChannel.Receiver {
    /// The elements still to come, for a loop in a coroutine; outside a coroutine, only those available now.
    ///
    /// - Returns: The iterator of the other form, in a type that hides it.
    /// - Complexity: O(1).
    @_disfavoredOverload
    @inlinable
    public func makeIterator() -> AnyIterator<Element> { AnyIterator(self.makeIterator() as CoChannel.Iterator) }
}
