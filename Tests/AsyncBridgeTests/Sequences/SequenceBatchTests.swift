// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("SequenceStateMachine: batches", .timeLimit(.minutes(10)))
struct SequenceBatchTests {
    private static func filled(_ policy: BufferingPolicy, with count: Int) -> MachineProbe {
        let machine = MachineProbe(policy)
        for element in 0..<count { _ = machine.yield(element) }
        return machine
    }

    @Test func `follow the element that was taken`() {
        let machine = Self.filled(.unbounded, with: 5)
        #expect(machine.take() == .element(0))
        #expect(machine.takeBatch() == [1, 2, 3, 4])
        #expect(machine.take() == .empty)
    }

    @Test(arguments: [
        (BufferingPolicy.unbounded, 64),
        (.newest(capacity: 100), 0),
        (.oldest(capacity: 100), 0),
        (.failing(capacity: 100), 0),
        (.watermark(low: 0, high: 3), 0),
        (.watermark(low: 0, high: 4), 1),
        (.watermark(low: 8, high: 100), 25),
        (.watermark(low: 90, high: 100), 9),
        (.watermark(low: 99, high: 100), 0),
        (.bounded(capacity: 100), 25),
    ]
    )
    func `are of so many elements`(_ policy: BufferingPolicy, _ size: Int) {
        // One less than full, so that nobody is to be woken.
        let machine = Self.filled(policy, with: 98)
        if case .watermark(_, let high) = policy, high < 98 { _ = machine.installDemand() }
        #expect(machine.take() == .element(0))
        let batch = machine.takeBatch()
        #expect(batch == Array(1..<(1 + size)))
    }

    /// As long as the batch lasts, what it holds fills the buffer.
    @Test func `still fill the buffer`() {
        let machine = Self.filled(.watermark(low: 0, high: 8), with: 4)
        #expect(machine.take() == .element(0))
        #expect(machine.takeBatch() == [1, 2])
        for element in 4..<8 { #expect(machine.yield(element) == .accepted) }
        #expect(machine.yield(8) == .pleasePause)
        #expect(machine.send(9) == .wait(9))
    }

    @Test func `are undelivered before the rest`() {
        let machine = Self.filled(.unbounded, with: 2)
        #expect(machine.take() == .element(0))
        #expect(machine.takeBatch() == [1])
        _ = machine.yield(2)
        #expect(machine.consumerGone(returning: [1]) == Farewell(undelivered: [1, 2]))
        #expect(machine.batchCount == 0)
    }

    /// Whatever the marks: once the source was told to pause, it is woken by the element that reaches the low mark.
    @Test(arguments: 1...20)
    func `never hide the low mark`(_ high: Int) {
        for low in 0..<high {
            // However much was there when the first batch was made.
            for early in 1...high {
                let machine = Self.filled(.watermark(low: low, high: high), with: early)
                _ = machine.installDemand()
                var inBuffer = early
                var batch: [Int] = []
                var isPaused = early == high

                func consume() -> Bool {
                    inBuffer -= 1
                    guard batch.isEmpty else { return batch.removeFirst() < 0 }
                    defer { batch = machine.takeBatch() }
                    if case .elementAndDemand(_, senders: [], tellsSource: true) = machine.take() { return true }
                    return false
                }

                if !isPaused { #expect(!consume(), "told of demand before it had paused") }
                while !isPaused {
                    isPaused = machine.yield(1) == .pleasePause
                    inBuffer += 1
                }
                #expect(inBuffer <= high)
                // Ends even if nobody is ever woken.
                while !consume(), inBuffer > 0 { #expect(inBuffer > low, "\(low) to \(high), first \(early)") }
                #expect(inBuffer == min(low, high - 1))
            }
        }
    }
}
