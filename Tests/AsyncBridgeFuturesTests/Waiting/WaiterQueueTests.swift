// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

@Suite("The queue of waiters", .timeLimit(.minutes(10)))
struct WaiterQueueTests {
    /// A queue in which waiters 0, 1, … have begun to wait.
    struct World: ~Copyable {
        var queue = WaiterQueue()
        let waiters: [HandMadeWaiter]

        init(_ count: Int) {
            self.waiters = (0..<count).map { HandMadeWaiter($0) }
            for waiter in self.waiters {
                _ = waiter.begin()
                self.queue.append(waiter.reference)
            }
        }

        func check(_ names: [Int], _ comment: Comment? = nil) {
            #expect(self.queue.names == names, comment)
            #expect(self.queue.namesBackwards == names.reversed(), comment)
            #expect(self.queue.isEmpty == names.isEmpty, comment)
            #expect(self.waiters.filter(\.isEnlisted).map(\.name) == names.sorted(), comment)
        }
    }

    @Test(arguments: 0...4)
    func `the first to come is the first`(count: Int) {
        var world = World(count)
        world.check(Array(0..<count))
        for number in 0..<count {
            #expect(world.queue.claimFirst()?.parker.handMade.name == number)
            world.check(Array(number + 1..<count))
        }
        #expect(world.queue.claimFirst() == nil)
    }

    /// Of four, any set goes, in any order.
    @Test func `anybody may leave`() {
        func leave(_ gone: [Int]) {
            var world = World(4)
            for name in gone { world.queue.remove(world.waiters[name].reference) }
            world.check((0..<4).filter { !gone.contains($0) }, "\(gone) have gone")
            for name in 0..<4 where !gone.contains(name) { leave(gone + [name]) }
        }
        leave([])
    }

    @Test func `leaving twice is leaving once`() {
        var world = World(3)
        world.queue.remove(world.waiters[1].reference)
        world.queue.remove(world.waiters[1].reference)
        world.check([0, 2])
    }

    @Test func `who never came does not leave`() {
        var world = World(2)
        let stranger = HandMadeWaiter(7)
        world.queue.remove(stranger.reference)
        world.check([0, 1])
    }

    @Test func `who has left may come again`() {
        var world = World(3)
        world.queue.remove(world.waiters[0].reference)
        world.queue.append(world.waiters[0].reference)
        world.check([1, 2, 0])
    }

    /// Whatever set of the four was cancelled or claimed elsewhere, the others are claimed in turn.
    @Test(arguments: 0..<16)
    func `who cannot be claimed is passed over`(bits: Int) {
        var world = World(4)
        let isOver = (0..<4).map { bits & (1 << $0) != 0 }
        for (waiter, isOver) in zip(world.waiters, isOver) where isOver {
            if waiter.name.isMultiple(of: 2) { waiter.cancelWait() } else { #expect(waiter.claim()) }
        }
        for name in 0..<4 where !isOver[name] {
            #expect(world.queue.claimFirst()?.parker.handMade.name == name)
        }
        #expect(world.queue.claimFirst() == nil)
        world.check([])
        #expect(world.waiters.map(\.comebacks) == [0, 0, 0, 0], "none of them has left its thread")
    }
}
