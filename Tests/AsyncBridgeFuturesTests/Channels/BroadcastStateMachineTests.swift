// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

@Suite("The state machine of a broadcast")
struct BroadcastStateMachineTests {
    typealias Machine = BroadcastStateMachine<Int, String>

    static func open(current: Int? = nil, _ subscribers: [String] = []) -> Machine {
        var machine = Machine(current: current)
        for subscriber in subscribers { _ = machine.subscribe(subscriber) }
        return machine
    }

    static func closed(current: Int? = nil) -> Machine {
        var machine = Self.open(current: current, ["left"])
        _ = machine.close()
        return machine
    }

    private func subscribers(of machine: Machine) -> [String] {
        var all: [String] = []
        machine.forEachSubscriber { all.append($0) }
        return all
    }

    @Suite struct Subscribe {
        @Test func `when open, the subscriber is kept`() {
            var machine = BroadcastStateMachineTests.open(["left"])
            #expect(machine.subscribe("right") == .removeAtEnd(1))
            #expect(machine.subscriberCount == 2)
            #expect(BroadcastStateMachineTests().subscribers(of: machine) == ["left", "right"])
        }

        @Test func `when closed, the subscriber is closed`() {
            var machine = BroadcastStateMachineTests.closed()
            #expect(machine.subscribe("right") == .close)
            #expect(machine.subscriberCount == 0)
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

        @Test func `when closed, there is nobody`() {
            var machine = BroadcastStateMachineTests.closed()
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

        @Test func `when closed, the element is refused`() {
            var machine = BroadcastStateMachineTests.closed(current: 1)
            guard case .refuse = machine.send(2) else { return _ = Issue.record("not refused") }
            #expect(machine.current == 1)
            #expect(BroadcastStateMachineTests().subscribers(of: machine) == [])
        }
    }

    @Suite struct Drop {
        @Test func `when open, counts`() {
            var machine = BroadcastStateMachineTests.open()
            machine.drop(2)
            machine.drop(1)
            #expect(machine.droppedCount == 3)
        }

        @Test func `when closed, counts too`() {
            var machine = BroadcastStateMachineTests.closed()
            machine.drop(1)
            #expect(machine.droppedCount == 1)
        }
    }

    @Suite struct Close {
        @Test func `when open, hands the subscribers out`() {
            var machine = BroadcastStateMachineTests.open(["left", "right"])
            _ = machine.remove(0)
            #expect(!machine.isClosed)
            #expect(machine.close() == ["right"])
            #expect(machine.isClosed)
            #expect(machine.subscriberCount == 0)
        }

        @Test func `when closed, does nothing`() {
            var machine = BroadcastStateMachineTests.closed()
            #expect(machine.close() == nil)
        }
    }
}

@Suite("The subscribers of a broadcast")
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
