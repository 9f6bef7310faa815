// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The consumers of a shared sequence: each comes and leaves in constant time.
package struct SharedConsumers<Sink> {
    /// In no order; an array, because the pump takes it for each element.
    package private(set) var sinks: [Sink] = []
    /// The numbers of the sinks, at the same places.
    private var numbers: [UInt64] = []
    private var places: [UInt64: Int] = [:]
    /// How many entries were written: what coming and leaving has cost, for the tests.
    ///
    /// Those of a table that was copied count, whether it had no room or something else held it too.
    package private(set) var steps = 0

    package init() {}

    /// Whether there are none.
    package var isEmpty: Bool { self.sinks.isEmpty }

    /// In the order of their numbers.
    package var inOrder: [Sink] {
        self.numbers.indices.sorted { self.numbers[$0] < self.numbers[$1] }.map { self.sinks[$0] }
    }

    /// Adds a consumer.
    ///
    /// - Parameters:
    ///   - sink: Its sink.
    ///   - number: Its number, greater than all before.
    package mutating func add(_ sink: Sink, as number: UInt64) {
        let address = self.address
        self.places[number] = self.sinks.count
        self.sinks.append(sink)
        self.numbers.append(number)
        self.countSteps(since: address)
    }

    /// Removes a consumer.
    ///
    /// - Parameter number: Its number.
    /// - Returns: Its sink, if it was there.
    package mutating func remove(_ number: UInt64) -> Sink? {
        guard let place = self.places.removeValue(forKey: number) else { return nil }
        let address = self.address
        defer { self.countSteps(since: address) }
        // The last one takes its place.
        let last = self.numbers.count - 1
        self.sinks.swapAt(place, last)
        self.numbers.swapAt(place, last)
        if place != last { self.places[self.numbers[place]] = place }
        self.numbers.removeLast()
        return self.sinks.removeLast()
    }

    /// Where the sinks are: elsewhere, once they were copied.
    ///
    /// Safe: the address is compared, and not used.
    private var address: UInt { unsafe self.sinks.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }

    private mutating func countSteps(since address: UInt) {
        self.steps += address == self.address ? 1 : 1 + self.sinks.count
    }
}
