// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import Coroutines

/// What a broadcast does, in plain arrays; elements stand for their senders too.
struct BroadcastModel: Equatable {
    struct Subscriber: Equatable {
        let capacity: Int
        let overflow: BufferingPolicy.Overflow
        var buffer: [Int] = []
        /// Elements of senders that wait for room.
        var waiting: [Int] = []
        /// Receivers that wait for an element.
        var receivers = 0
        var received: [Int] = []
        var isThere = true

        init(_ type: BufferingPolicy, current: Int) {
            self.capacity = type.channelCapacity(CallSite())
            self.overflow = type.overflow
            if self.capacity > 0 { self.buffer = [current] }
        }
    }

    var subscribers: [Subscriber]
    var current: Int?
    var isClosed = false
    var undelivered: [Int] = []
    /// What became of the senders that do not wait any more.
    var results: [Int: String] = [:]
    private var cancelled: Set<Int> = []

    init(_ types: [BufferingPolicy], current: Int) {
        self.subscribers = types.map { Subscriber($0, current: current) }
        self.current = current
    }

    private func waits(_ element: Int) -> Bool { self.subscribers.contains { $0.waiting.contains(element) } }

    private mutating func settle() {
        for element in [1, 2] where self.senders.contains(element) && self.results[element] == nil {
            if !self.waits(element) { self.results[element] = "sent" }
        }
    }

    private var senders: Set<Int> = []

    mutating func send(_ element: Int) {
        if self.isClosed {
            self.results[element] = self.endName
            self.undelivered.append(element)
            return
        }
        self.senders.insert(element)
        self.current = element
        for index in self.subscribers.indices where self.subscribers[index].isThere {
            self.offer(element, to: index)
        }
        self.settle()
    }

    private mutating func offer(_ element: Int, to index: Int) {
        var subscriber = self.subscribers[index]
        if subscriber.receivers > 0 {
            subscriber.receivers -= 1
            subscriber.received.append(element)
        } else if subscriber.buffer.count < subscriber.capacity {
            subscriber.buffer.append(element)
        } else {
            switch subscriber.overflow {
            case .keep:
                subscriber.waiting.append(element)
            case .dropOldest:
                self.undelivered.append(subscriber.buffer.removeFirst())
                subscriber.buffer.append(element)
            case .dropNewest:
                self.undelivered.append(element)
            case .fail:
                self.undelivered.append(element)
                subscriber.isThere = false
            }
        }
        self.subscribers[index] = subscriber
    }

    /// Somebody receives, and waits if there is nothing.
    mutating func receive(from index: Int) {
        guard self.subscribers[index].isThere else { return }
        if !self.subscribers[index].buffer.isEmpty {
            self.subscribers[index].received.append(self.subscribers[index].buffer.removeFirst())
            if !self.subscribers[index].waiting.isEmpty {
                self.subscribers[index].buffer.append(self.subscribers[index].waiting.removeFirst())
            }
        } else if !self.subscribers[index].waiting.isEmpty {
            self.subscribers[index].received.append(self.subscribers[index].waiting.removeFirst())
        } else if !self.isClosed {
            self.subscribers[index].receivers += 1
        }
        self.settle()
    }

    mutating func cancel(_ element: Int) { if self.results[element] == nil { self.cancelled.insert(element) } }

    /// The senders go on whose wait is over.
    mutating func resume() {
        for element in self.cancelled.sorted() where self.results[element] == nil && self.senders.contains(element) {
            for index in self.subscribers.indices where self.subscribers[index].waiting.contains(element) {
                self.subscribers[index].waiting.removeAll { $0 == element }
                self.undelivered.append(element)
            }
            self.results[element] = "cancelled"
        }
    }

    mutating func leave(_ index: Int) {
        guard self.subscribers[index].isThere else { return }
        self.undelivered += self.subscribers[index].buffer + self.subscribers[index].waiting
        self.subscribers[index].buffer = []
        self.subscribers[index].waiting = []
        self.subscribers[index].receivers = 0
        self.subscribers[index].isThere = false
        self.settle()
    }

    /// What a sender gets after the end.
    private var endName = "closed"

    /// The broadcast is cancelled: what is in the buffers is undelivered, too.
    mutating func cancelAll() {
        self.close(as: "cancelled")
        for index in self.subscribers.indices {
            self.undelivered += self.subscribers[index].buffer
            self.subscribers[index].buffer = []
        }
        self.current = nil
    }

    mutating func close(as name: String = "closed") {
        guard !self.isClosed else { return }
        self.isClosed = true
        self.endName = name
        for index in self.subscribers.indices {
            for element in self.subscribers[index].waiting {
                self.undelivered.append(element)
                self.results[element] = name
            }
            self.subscribers[index].waiting = []
            self.subscribers[index].receivers = 0
        }
    }
}
