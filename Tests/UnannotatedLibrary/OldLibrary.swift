// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch

/// A library from before Swift 6, compiled as such: it calls back on a thread of its own, and says nothing of it.
public final class OldLibrary {
    /// What it hands over; not `Sendable`.
    public final class Record {
        /// Its text.
        public var text: String

        /// Makes a record.
        public init(text: String) { self.text = text }
    }

    private let queue = DispatchQueue(label: "OldLibrary")

    /// Makes a library with a thread of its own.
    public init() {}

    /// Calls back with nothing.
    public func ping(_ completion: @escaping () -> Void) {
        self.queue.async { completion() }
    }

    /// Calls back with an object.
    public func record(_ text: String, _ completion: @escaping (Record) -> Void) {
        self.queue.async { completion(Record(text: text)) }
    }

    /// Calls back with three values.
    public func ranked(_ text: String?, _ error: Error?, _ completion: @escaping (String?, Int, Error?) -> Void) {
        self.queue.async { completion(text, 3, error) }
    }

    /// Calls back some times, and once at the end.
    public func watch(_ count: Int, _ onText: @escaping (String, Int) -> Void, _ onEnd: @escaping (Error?) -> Void) {
        self.queue.async {
            for number in 0..<count { onText("text", number) }
            onEnd(nil)
        }
    }
}
