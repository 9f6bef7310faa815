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
        self.receiver.storage?.takeBack(element) ?? false
    }
}

extension ChannelStorage {
    func takeBack<Value>(_ element: Disconnected<Value>) -> Bool {
        guard let element = element as? Disconnected<Element> else { return false }
        self.dispose(of: element)
        return true
    }
}
