// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// For those who come from SwiftCoroutine: a function that is declared without `sending` is not one that returns a `sending`
// value, so `channel.map(describe)` needs forms of its own.

extension CoChannel {
    /// A handle that receives what a function makes of each element.
    ///
    /// - Parameter transform: Called by whoever receives, outside every lock.
    /// - Returns: The handle.
    /// - Complexity: O(1).
    @preconcurrency
    @_disfavoredOverload
    public func map<NewElement: Sendable>(
        _ transform: @escaping @Sendable (Element) -> NewElement
    ) -> CoChannel<NewElement>.Receiver {
        self.receiver.map(transform)
    }
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
    public final func map<NewElement: Sendable>(
        _ transform: @escaping @Sendable (Element) -> NewElement
    ) -> CoChannel<NewElement>.Receiver {
        self.map { element in transform(element) }
    }
}
