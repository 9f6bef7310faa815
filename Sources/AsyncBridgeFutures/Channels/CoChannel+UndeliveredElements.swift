// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridgeCore

// Where an element goes that a coroutine has received and cannot use.

extension CoChannel.AsyncIterator: UndeliveredElements {
    package func takeBack<Value>(_ element: Disconnected<Value>) -> Bool { self.storage.takeBack(element) }
}

extension CoChannel.Receiver.AsyncIterator: UndeliveredElements {
    /// - Returns: False also if the elements are mapped: what `map` has made is not the channel's.
    package func takeBack<Value>(_ element: Disconnected<Value>) -> Bool {
        if let storage = self.receiver.storage { return storage.takeBack(element) }
        // A mapped one, and its elements are still what was sent.
        guard let giveBack = self.receiver.mapped.giveBack, let element = element as? Disconnected<Element> else {
            return false
        }
        giveBack(element.take())
        return true
    }
}

extension ChannelStorage {
    func takeBack<Value>(_ element: Disconnected<Value>) -> Bool {
        guard let element = element as? Disconnected<Element> else { return false }
        self.dispose(of: element)
        return true
    }
}
