// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An iterator that can take back an element, for the `onUndelivered` of its source.
///
/// For a consumer that ends after the element has left the source: a coroutine that is unwound, or a subscriber that
/// cancels.
package protocol UndeliveredElements {
    /// Takes an element back that came from this iterator.
    ///
    /// - Returns: Whether it did; otherwise the element has no such place to go.
    func takeBack<Value>(_ element: Disconnected<Value>) -> Bool
}

extension AsyncIteratorProtocol {
    /// Takes an element back that came from this iterator, if it is one that can.
    ///
    /// It asks at run time: only for an element that nobody gets.
    ///
    /// - Returns: Whether it did; otherwise the element has no such place to go.
    package func takeBack(undelivered element: Disconnected<Element>) -> Bool {
        (self as? any UndeliveredElements)?.takeBack(element) ?? false
    }
}

extension CallbackSequence.AsyncIterator: UndeliveredElements {
    package func takeBack<Value>(_ element: Disconnected<Value>) -> Bool {
        guard let consumer = self.consumer, let element = element as? Disconnected<Element> else { return false }
        consumer.storage.dispose(of: element)
        return true
    }
}
