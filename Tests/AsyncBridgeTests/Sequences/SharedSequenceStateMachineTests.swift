// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

/// Each event in each state; `SharedSequenceOrderTests` has their orders.
@Suite("SharedSequenceStateMachine", .timeLimit(.minutes(10)))
struct SharedSequenceStateMachineTests {
    typealias Machine = SharedSequenceWorld.Machine

    /// The states, and what they hold: run numbers follow those of the consumers.
    enum Stage: String, CaseIterable {
        case idle
        case free = "2 free [10] false false"
        case iterated = "2 iterated [10] false false"
        case stopping
        case queued = "4 stopping [20] false false"
        case ended

        func machine(_ unused: UnusedSourcePolicy = .stop) -> Machine {
            var machine = Machine(unused: unused)
            if self == .idle { return machine }
            _ = machine.join(10)
            if self == .free { return machine }
            _ = machine.begin(run: 2)
            if self == .iterated { return machine }
            if self == .ended {
                _ = machine.pumpEnded(run: 2, .success(()))
                return machine
            }
            _ = machine.leave(1)
            if self == .stopping { return machine }
            _ = machine.join(20)
            return machine
        }
    }

    @Test(arguments: Stage.allCases)
    func `how to come there`(_ stage: Stage) {
        let summary = stage.machine().summary
        #expect(summary == (stage == .ended ? "ended" : "\(stage.rawValue), stop"))
    }

    @Test(
        arguments: zip(
            Stage.allCases,
            [
                "starts 1 2", "joins 3 nil", "joins 3 nil", "starts 3 4", "joins 5 nil", "ends",
            ]
        )
    )
    func `a consumer comes`(_ stage: Stage, _ answer: String) {
        var machine = stage.machine()
        let found =
            switch machine.join(30) {
            case .joins(let consumer, let waiter): "joins \(consumer) \(waiter.map(String.init) ?? "nil")"
            case .starts(let consumer, let run): "starts \(consumer) \(run)"
            case .ends: "ends"
            }
        #expect(found == answer)
    }

    @Test(arguments: zip(Stage.allCases, ["idle", "idle", "stopping", "stopping", "stopping", "ended"]))
    func `the last consumer leaves`(_ stage: Stage, _ next: String) {
        var machine = stage.machine()
        let consumer: UInt64 = stage == .queued ? 3 : 1
        let isStopped = if case .stop = machine.leave(consumer) { true } else { false }
        #expect(isStopped == [.free, .iterated, .queued].contains(stage))
        let summary = machine.summary
        #expect(summary.hasPrefix(next))
    }

    @Test func `a kept source goes on, until the sequence is released`() {
        var machine = Stage.iterated.machine(.keep)
        guard case .goOn(10?) = machine.leave(1), case .park = machine.consumers(run: 2) else {
            Issue.record("stopped")
            return
        }
        let isParked = machine.park(7, run: 2)
        #expect(isParked)
        guard case .stop(nil, nil, 7?) = machine.release() else {
            Issue.record("not stopped")
            return
        }
        let summary = machine.summary
        #expect(summary == "stopping, stop")
    }

    @Test func `a parked pump is resumed by a consumer, once`() {
        var machine = Stage.iterated.machine(.keep)
        _ = machine.leave(1)
        _ = machine.park(7, run: 2)
        guard case .joins(_, 7?) = machine.join(20), case .joins(_, nil) = machine.join(30) else {
            Issue.record("not resumed once")
            return
        }
        guard case .deliver(let sinks) = machine.consumers(run: 2) else {
            Issue.record("nobody gets the element")
            return
        }
        #expect(sinks == [20, 30])
    }

    @Test func `the next run's pump begins when the last one has stopped`() {
        var machine = Stage.queued.machine()
        let first = machine.begin(run: 4)
        let isParked = machine.park(7, run: 4)
        #expect(first == .park && isParked)
        guard case .wake(7?) = machine.pumpEnded(run: 2, .success(())) else {
            Issue.record("not resumed")
            return
        }
        let second = machine.begin(run: 4)
        let late = machine.park(8, run: 4)
        #expect(second == .iterate && !late)
    }

    @Test(arguments: Stage.allCases)
    func `a pump whose run is over ends`(_ stage: Stage) {
        var machine = stage.machine()
        let (begins, parks, isNoted) = (machine.begin(run: 99), machine.park(7, run: 99), machine.started(7, run: 99))
        #expect(begins == .end && !parks && !isNoted)
        let ends = if case .end = machine.consumers(run: 99) { true } else { false }
        #expect(ends)
    }

    @Test func `consumers are finished in the order in which they came`() {
        var machine = Stage.iterated.machine()
        for sink in [20, 30, 40, 50] { _ = machine.join(sink) }
        // The last one takes the place of the first.
        _ = machine.leave(1)
        guard case .finish(let sinks) = machine.pumpEnded(run: 2, .success(())) else {
            Issue.record("not finished")
            return
        }
        #expect(sinks == [20, 30, 40, 50])
        guard case .goOn(nil) = machine.leave(3), case .goOn(nil) = machine.release() else {
            Issue.record("it is over")
            return
        }
    }

    /// The numbers of the consumers that have joined a machine in a row.
    private static func join(_ count: Int, _ machine: inout Machine) -> [UInt64] {
        (0..<count).compactMap { sink in
            switch machine.join(sink) {
            case .joins(let consumer, _), .starts(let consumer, _): consumer
            case .ends: nil
            }
        }
    }

    /// What it costs is counted in entries that are written: it is linear, in whatever order they leave.
    ///
    /// The last one stays, since the count goes with the run.
    @Test(arguments: ["first", "last", "shuffled"])
    func `coming and leaving cost the same for each, however many there are`(_ order: String) throws {
        for count in [1_000, 16_000, 64_000] {
            var machine = Machine(unused: .stop)
            var consumers = Self.join(count, &machine)
            var random = SplitMix(seed: 7)
            switch order {
            case "last": consumers.reverse()
            case "shuffled": consumers.shuffle(using: &random)
            default: break
            }
            var left = 0
            for consumer in consumers.dropLast() {
                if case .goOn(_?) = machine.leave(consumer) { left += 1 }
            }
            #expect(left == count - 1)
            // An array that has no room for one more is copied into one of twice the size.
            let steps = machine.steps
            try #require(steps >= 2 * count - 1 && steps <= 5 * count)
        }
    }

    /// The pump holds the table meanwhile, so the first that comes or leaves copies it, and no other does.
    @Test func `a delivery makes coming and leaving copy the table once`() {
        let count = 1_000
        var machine = Machine(unused: .stop)
        var consumers = Self.join(count, &machine)
        _ = machine.begin(run: 2)
        for _ in 0..<10 {
            let before = machine.steps
            guard case .deliver(let sinks) = machine.consumers(run: 2) else {
                Issue.record("nobody gets the element")
                return
            }
            for consumer in consumers.prefix(50) { _ = machine.leave(consumer) }
            consumers.removeFirst(50)
            consumers += Self.join(50, &machine)
            let steps = machine.steps - before
            #expect(sinks.count == count)
            #expect(steps >= count && steps <= 2 * count + 100)
        }
    }

    @Test func `consumers come and leave at random`() {
        var generator = SplitMix(seed: 5)
        var (consumers, model) = (SharedConsumers<Int>(), [UInt64: Int]())
        for number in 0..<2000 as Range<UInt64> {
            if Bool.random(using: &generator) {
                consumers.add(Int(number) * 10, as: number)
                model[number] = Int(number) * 10
            } else {
                let chosen = UInt64.random(in: 0...number, using: &generator)
                let removed = consumers.remove(chosen)
                #expect(removed == model.removeValue(forKey: chosen))
            }
        }
        #expect(consumers.sinks.sorted() == model.values.sorted())
        #expect(consumers.inOrder == model.keys.sorted().map { Int($0) * 10 })
        #expect(consumers.isEmpty == model.isEmpty)
    }
}
