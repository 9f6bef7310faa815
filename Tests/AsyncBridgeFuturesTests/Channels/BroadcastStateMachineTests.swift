// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

@Suite("The state machine of a broadcast", .timeLimit(.minutes(10)))
struct BroadcastStateMachineTests {
    typealias Machine = BroadcastStateMachine<Int, String>

    static func open(current: Int? = nil, _ subscribers: [String] = []) -> Machine {
        var machine = Machine(current: current)
        for subscriber in subscribers { _ = machine.subscribe(subscriber) }
        return machine
    }

    static func closed(current: Int? = nil) -> Machine {
        var machine = Self.open(current: current, ["left"])
        _ = machine.finish(.closed)
        return machine
    }

    static func failed(current: Int? = nil) -> Machine {
        var machine = Self.open(current: current, ["left"])
        _ = machine.finish(.failed(Failure(1)))
        return machine
    }

    static func cancelled(current: Int? = nil) -> Machine {
        var machine = Self.open(current: current, ["left"])
        _ = machine.finish(.cancelled)
        return machine
    }

    /// The name of an end, for comparisons.
    static func name(_ end: BroadcastEnd?) -> String {
        switch end {
        case nil: "open"
        case .closed: "closed"
        case .failed(let error): "\(error)"
        case .cancelled: "cancelled"
        }
    }

    private func subscribers(of machine: Machine) -> [String] {
        var all: [String] = []
        machine.forEachSubscriber { all.append($0) }
        return all
    }

    @Suite struct Subscribe {
        @Test func `when open, the subscriber is kept`() {
            var machine = BroadcastStateMachineTests.open(["left"])
            guard case .removeAtEnd(1) = machine.subscribe("right") else { return _ = Issue.record("not kept") }
            #expect(machine.subscriberCount == 2)
            #expect(BroadcastStateMachineTests().subscribers(of: machine) == ["left", "right"])
        }

        @Test func `when closed, the subscriber is closed, and kept for a cancellation`() {
            var machine = BroadcastStateMachineTests.closed()
            guard case .close(.closed, removeAtEnd: 1) = machine.subscribe("right") else {
                return _ = Issue.record("not closed")
            }
            #expect(machine.subscriberCount == 0)
            #expect(machine.finish(.cancelled)?.subscribers == ["left", "right"])
        }

        @Test func `when failed, the subscriber gets the error`() {
            var machine = BroadcastStateMachineTests.failed()
            guard case .close(.failed(let error), removeAtEnd: 1) = machine.subscribe("right") else {
                return _ = Issue.record("not closed")
            }
            #expect(error as? Failure == Failure(1))
        }

        @Test func `when cancelled, the subscriber is cancelled`() {
            var machine = BroadcastStateMachineTests.cancelled()
            guard case .cancel = machine.subscribe("right") else { return _ = Issue.record("not cancelled") }
            #expect(BroadcastStateMachineTests().subscribers(of: machine) == [])
        }
    }

    @Suite struct Remove {
        @Test func `when open, the subscriber is released`() {
            var machine = BroadcastStateMachineTests.open(["left", "right"])
            #expect(machine.remove(0) == "left")
            #expect(machine.remove(0) == nil, "once")
            #expect(machine.remove(7) == nil, "nobody has this key")
            #expect(BroadcastStateMachineTests().subscribers(of: machine) == ["right"])
        }

        @Test func `when closed or failed, the subscriber is released`() {
            var machine = BroadcastStateMachineTests.closed()
            #expect(machine.remove(0) == "left")
            machine = BroadcastStateMachineTests.failed()
            #expect(machine.remove(0) == "left")
        }

        @Test func `when cancelled, there is nobody`() {
            var machine = BroadcastStateMachineTests.cancelled()
            #expect(machine.remove(0) == nil)
        }
    }

    @Suite struct Send {
        @Test func `when open, the element is offered`() {
            var machine = BroadcastStateMachineTests.open(["left"])
            guard case .offer(replaced: nil) = machine.send(1) else { return _ = Issue.record("not offered") }
            #expect(machine.current == nil)
        }

        @Test func `when open with a current element, it is replaced`() {
            var machine = BroadcastStateMachineTests.open(current: 1)
            guard case .offer(replaced: 1) = machine.send(2) else { return _ = Issue.record("not replaced") }
            #expect(machine.current == 2)
        }

        @Test func `when ended, the element is refused`() {
            var machines = [
                BroadcastStateMachineTests.closed(current: 1), BroadcastStateMachineTests.failed(current: 1),
            ]
            for index in machines.indices {
                guard case .refuse = machines[index].send(2) else { return _ = Issue.record("not refused") }
                #expect(machines[index].current == 1)
            }
            var machine = BroadcastStateMachineTests.cancelled(current: 1)
            guard case .refuse(.cancelled) = machine.send(2) else { return _ = Issue.record("not refused") }
            #expect(machine.current == nil)
        }
    }

    @Suite struct Drop {
        @Test func `when open, counts`() {
            var machine = BroadcastStateMachineTests.open()
            machine.drop(2)
            machine.drop(1)
            #expect(machine.droppedCount == 3)
        }

        @Test func `when ended, counts too`() {
            var machine = BroadcastStateMachineTests.closed()
            machine.drop(1)
            #expect(machine.droppedCount == 1)
        }
    }

    @Suite struct Finish {
        @Test(arguments: ["closed", "failed", "cancelled"])
        func `when open, hands the subscribers out`(name: String) {
            let end: BroadcastEnd = name == "closed" ? .closed : name == "failed" ? .failed(Failure(1)) : .cancelled
            var machine = BroadcastStateMachineTests.open(current: 3, ["left", "right"])
            _ = machine.remove(0)
            let ending = machine.finish(end)
            #expect(ending?.subscribers == ["right"])
            #expect(ending?.current == (name == "cancelled" ? 3 : nil))
            #expect(BroadcastStateMachineTests.name(machine.end) == BroadcastStateMachineTests.name(end))
            #expect(machine.subscriberCount == 0)
        }

        @Test func `when closed or failed, only a cancellation changes something`() {
            for original in [
                BroadcastStateMachineTests.closed(current: 3), BroadcastStateMachineTests.failed(current: 3),
            ] {
                var machine = original
                #expect(machine.finish(.closed) == nil)
                #expect(machine.finish(.failed(Failure(2))) == nil)
                #expect(BroadcastStateMachineTests.name(machine.end) == BroadcastStateMachineTests.name(original.end))
                let ending = machine.finish(.cancelled)
                #expect(ending?.subscribers == ["left"])
                #expect(ending?.current == 3)
                #expect(BroadcastStateMachineTests.name(machine.end) == "cancelled")
            }
        }

        @Test func `when cancelled, does nothing`() {
            var machine = BroadcastStateMachineTests.cancelled()
            for end in [BroadcastEnd.closed, .failed(Failure(2)), .cancelled] { #expect(machine.finish(end) == nil) }
            #expect(BroadcastStateMachineTests.name(machine.end) == "cancelled")
        }
    }
}

@Suite("The subscribers of a broadcast", .timeLimit(.minutes(10)))
struct BroadcastSubscribersTests {
    /// Any that leave, in any order of keys: those who stay keep their order and their keys.
    @Test(arguments: 0..<20)
    func `those who leave`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var subscribers = BroadcastSubscribers<Int>()
        var model: [UInt64: Int] = [:]
        for number in 0..<200 {
            if random.next() % 3 > 0 {
                let key = subscribers.append(number)
                #expect(model.updateValue(number, forKey: key) == nil, "each key once")
            } else if let key = model.keys.sorted().randomElement(using: &random) {
                #expect(subscribers.remove(key) == model.removeValue(forKey: key))
                #expect(subscribers.remove(key) == nil)
            }
            var all: [Int] = []
            subscribers.forEach { all.append($0) }
            #expect(all == model.sorted { $0.key < $1.key }.map(\.value))
            #expect(subscribers.all == all)
            #expect(subscribers.count == all.count)
        }
    }
}
