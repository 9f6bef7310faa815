// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An iterator that can take back an element, for the `onUndelivered` of its source.
///
/// For a coroutine that is unwound after the element has left the source, and cannot use it any more.
package protocol UndeliveredElements {
    /// Takes an element back that came from this iterator.
    ///
    /// - Returns: Whether it did; otherwise the element has no such place to go.
    func takeBack<Value>(_ element: Disconnected<Value>) -> Bool
}

extension CallbackSequence.AsyncIterator: UndeliveredElements {
    package func takeBack<Value>(_ element: Disconnected<Value>) -> Bool {
        guard let consumer = self.consumer, let element = element as? Disconnected<Element> else { return false }
        consumer.storage.dispose(of: element)
        return true
    }
}
