// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

@Suite("RingBuffer", .timeLimit(.minutes(10)))
struct RingBufferTests {
    @Test func `an empty one gives nothing`() {
        var buffer = RingBuffer<Int>()
        #expect(buffer.isEmpty == true)
        #expect(buffer.count == 0)
        #expect(buffer.popFirst() == nil)
        #expect(buffer.removeAll() == [])
    }

    @Test(arguments: [1, 3, 4, 5, 8, 9, 100])
    func `elements leave in the order in which they came`(of count: Int) {
        var buffer = RingBuffer<Int>()
        for element in 0..<count { buffer.append(element) }
        #expect(buffer.count == count)
        #expect((0..<count).allSatisfy { buffer.popFirst() == $0 })
        #expect(buffer.isEmpty == true)
        #expect(buffer.popFirst() == nil)
    }

    /// For each place of the head the buffer grows while its elements lie in two runs.
    @Test(arguments: 0..<8)
    func `growing keeps the order wherever the first element lies`(fromHead head: Int) {
        var buffer = RingBuffer<Int>()
        for element in 0..<8 { buffer.append(element) }
        for _ in 0..<head { _ = buffer.popFirst() }
        for element in 8..<(8 + head) { buffer.append(element) }
        #expect(buffer.capacity == 8)
        #expect(buffer.count == 8)
        buffer.append(8 + head)
        #expect(buffer.capacity == 16)
        #expect(buffer.removeAll() == Array(head...(8 + head)))
    }

    @Test func `it does not grow while there is room`() {
        var buffer = RingBuffer<Int>()
        for element in 0..<10_000 {
            buffer.append(element)
            if element >= 4 { #expect(buffer.popFirst() == element - 4) }
        }
        #expect(buffer.capacity == 8)
    }

    @Test func `the room of a burst is given back`() {
        var buffer = RingBuffer<Int>()
        for element in 0..<1_000_000 { buffer.append(element) }
        #expect(buffer.capacity >= 1_000_000)
        var isInOrder = true
        for element in 0..<1_000_000 {
            isInOrder = buffer.popFirst() == element && isInOrder
            buffer.giveBackRoom()
        }
        #expect(isInOrder)
        #expect(buffer.capacity <= 1_024)
    }

    @Test func `a small one keeps its room`() {
        var buffer = RingBuffer<Int>()
        for element in 0..<1_024 { buffer.append(element) }
        while buffer.popFirst() != nil { buffer.giveBackRoom() }
        #expect(buffer.capacity == 1_024)
    }

    /// Growing and shrinking do not take turns: both leave half of the room.
    @Test func `a count that swings does not move the buffer each time`() {
        var buffer = RingBuffer<Int>()
        for element in 0..<16_384 { buffer.append(element) }
        while buffer.count > 1_500 {
            _ = buffer.popFirst()
            buffer.giveBackRoom()
        }
        let capacity = buffer.capacity
        #expect(capacity < 16_384)
        for _ in 0..<1_000 {
            while buffer.count < 2_000 { buffer.append(0) }
            while buffer.count > 1_000 {
                _ = buffer.popFirst()
                buffer.giveBackRoom()
            }
            #expect(buffer.capacity == capacity)
        }
    }

    @Test(arguments: UInt64(1)...50)
    func `random operations agree with an array`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var buffer = RingBuffer<String>()
        var model: [String] = []
        // Some runs rather fill, others rather empty.
        let bias = UInt64.random(in: 30...70, using: &random)
        for step in 0..<2_000 {
            switch UInt64.random(in: 0..<100, using: &random) {
            case 0:
                #expect(buffer.removeAll() == model)
                model = []
            case 1...bias:
                // Long enough for the heap: a slot that is released twice or never does not stay unnoticed.
                let element = "the element of step number \(step)"
                buffer.append(element)
                model.append(element)
            default:
                let expected = model.isEmpty ? nil : model.removeFirst()
                #expect(buffer.popFirst() == expected)
                buffer.giveBackRoom()
            }
            #expect(buffer.count == model.count)
            #expect(buffer.isEmpty == model.isEmpty)
        }
        #expect(buffer.removeAll() == model)
    }

    @Test(arguments: UInt64(1)...20)
    func `elements live as long as the buffer has them`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let lifetimes = Lifetimes()
        var count = 0
        do {
            var buffer = RingBuffer<Lifetimes.Probe>()
            for step in 0..<500 {
                if UInt64.random(in: 0..<10, using: &random) < 6 {
                    buffer.append(lifetimes.probe(step))
                    count += 1
                } else if buffer.popFirst() != nil {
                    count -= 1
                }
                #expect(lifetimes.alive == count)
            }
            #expect(buffer.count == count)
            #expect(count > 0)
        }
        #expect(lifetimes.alive == 0)
    }

    @Test func `an element that left is not kept`() {
        let lifetimes = Lifetimes()
        var buffer = RingBuffer<Lifetimes.Probe>()
        buffer.append(lifetimes.probe())
        #expect(lifetimes.alive == 1)
        _ = buffer.popFirst()
        #expect(lifetimes.alive == 0)
        for _ in 0..<5 { buffer.append(lifetimes.probe()) }
        _ = buffer.removeAll()
        #expect(lifetimes.alive == 0)
        #expect(buffer.isEmpty == true)
    }
}
