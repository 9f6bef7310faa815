// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

@Suite("StackFreeList: where stacks are", .timeLimit(.minutes(10)))
struct StackFreeListTests {
    /// A free list whose actions are obeyed, and who has which stack.
    private final class World {
        var freeList = StackFreeList<Int>()
        var out: [Int] = []
        var places: [Int: (slab: Int, index: Int)] = [:]
        var warm: Set<Int> = []
        var mapped: Set<UInt> = []
        var nextMemory: UInt = 1
        private var numbers: [String: Int] = [:]

        /// Gets a stack; a place has the same number whenever it is handed out.
        func acquire() {
            while true {
                switch self.freeList.acquire() {
                case .warm(let stack):
                    #expect(self.warm.remove(stack) != nil, "a stack that is not warm was found warm")
                    return self.out.append(stack)
                case .cold(let slab, let index, let memory), .fresh(let slab, let index, let memory):
                    #expect(self.mapped.contains(memory), "a stack of a slab that is gone")
                    let stack = self.number(of: "\(memory) \(index)")
                    #expect(!self.out.contains(stack) && !self.warm.contains(stack), "handed out twice")
                    self.places[stack] = (slab, index)
                    return self.out.append(stack)
                case .nothing(let count):
                    self.freeList.add(memory: self.nextMemory, count: min(count, 8))
                    self.mapped.insert(self.nextMemory)
                    self.nextMemory += 1
                }
            }
        }

        private func number(of place: String) -> Int {
            let number = self.numbers[place] ?? self.numbers.count
            self.numbers[place] = number
            return number
        }

        func release(_ stacks: [Int]) {
            self.out.removeAll { stacks.contains($0) }
            self.warm.formUnion(stacks)
            self.discard(self.freeList.release(stacks))
            #expect(self.freeList.warmCount <= max(self.out.count, 64), "too much stays warm")
        }

        func trim() {
            self.discard(self.freeList.trim())
            #expect(self.freeList.warmCount == 0)
        }

        private func discard(_ stacks: [Int]) {
            for stack in stacks {
                #expect(self.warm.remove(stack) != nil, "a stack was cooled that is not warm")
                guard let place = self.places[stack] else { continue }
                guard let slab = self.freeList.cooled(slab: place.slab, index: place.index) else { continue }
                #expect(self.mapped.remove(slab.memory) != nil, "a slab was unreserved twice")
            }
        }

        func check() {
            #expect(self.freeList.out == self.out.count)
            #expect(self.freeList.warmCount == self.warm.count)
            #expect(self.freeList.total == self.freeList.out + self.freeList.warmCount + self.freeList.room)
            #expect(self.mapped.count == self.freeList.slabs.count { $0 != nil })
            #expect(self.freeList.slabs.count { $0?.isUnused == true } <= 1, "more than one slab without use")
        }
    }

    /// Every mixture of getting, giving back and trimming, in an order that each seed decides.
    @Test(arguments: 0..<8)
    func `keeps its books`(_ seed: UInt64) {
        let world = World()
        var random = SplitMix(seed: seed)
        for _ in 0..<100 {
            switch random.next() % 8 {
            case 0...3: for _ in 0..<(random.next() % 40) { world.acquire() }
            case 4: world.trim()
            default: world.release(Array(world.out.shuffled(using: &random).prefix(Int(random.next() % 60))))
            }
            world.check()
        }
        world.release(world.out)
        world.trim()
        world.check()
        #expect(world.mapped.count <= 1, "an empty free list keeps one slab at most")
    }

    @Test func `the warmest comes first`() {
        var freeList = StackFreeList<Int>()
        freeList.add(memory: 1, count: 3)
        for _ in 0..<3 { _ = freeList.acquire() }
        #expect(freeList.release([1, 2]).isEmpty)
        #expect(freeList.release([3]).isEmpty)
        for expected in [3, 2, 1] {
            guard case .warm(expected) = freeList.acquire() else {
                Issue.record("not \(expected)")
                continue
            }
        }
    }

    @Test func `the coldest are given back first`() {
        var freeList = StackFreeList<Int>()
        freeList.add(memory: 1, count: 100)
        for _ in 0..<100 { _ = freeList.acquire() }
        #expect(freeList.release(Array(0..<50)).isEmpty)
        // 64 may stay, since fewer are out.
        #expect(freeList.release(Array(50..<100)) == Array(0..<36))
        #expect(freeList.warmCount == 64)
    }

    @Test func `a place that could not be guarded is free again`() {
        var freeList = StackFreeList<Int>()
        freeList.add(memory: 1, count: 1)
        guard case .fresh(let slab, let index, 1) = freeList.acquire() else {
            Issue.record("it is not fresh")
            return
        }
        freeList.failed(slab: slab, index: index)
        #expect(freeList.out == 0)
        guard case .fresh(slab, index, 1) = freeList.acquire() else {
            Issue.record("it has no guard yet, so it is fresh")
            return
        }
    }
}
