// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A function declared without `sending` does not return a `sending` value, so `channel.map(describe)` needs forms of
// its own. Without them it would be the standard library's `map`, of another type: that keeps the channel, which can
// send too, so a loop over it would not end when all senders are gone.

extension CoChannel {
    /// A handle that receives the elements transformed by a function.
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
}

extension CoChannel.Receiver {
    /// A handle that receives the elements transformed by a function.
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
}
