// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

/// Every event in every state, with no thread and no task.
@Suite("CoScope's state machine", .timeLimit(.minutes(10)))
struct CoScopeStateTests {
    /// A machine, and what its actions record when the caller obeys it.
    struct World {
        var state = CoScopeState()
        let log = EventLog()

        private func action(_ name: String) -> CoScopeState.Action { { [log] in log.record(name) } }

        /// The key, if the machine keeps the item.
        mutating func add(_ name: String) -> UInt64? {
            switch self.state.add(self.action(name)) {
            case .removeAtEnd(let key):
                return key
            case .cancel:
                self.log.record("\(name) at once")
                return nil
            }
        }

        /// The key of an item that the machine keeps.
        mutating func keep(_ name: String) throws -> UInt64 {
            let key = self.add(name)
            return try #require(key)
        }

        mutating func observe(_ name: String) {
            switch self.state.observe(self.action(name)) {
            case .keep: break
            case .call: self.log.record("\(name) at once")
            }
        }

        mutating func cancel() { for action in self.state.cancel() { action() } }

        static var cancelled: World {
            var world = World()
            world.cancel()
            return world
        }
    }

    @Suite struct Add {
        @Test func `when open, keeps the item`() {
            var world = World()
            #expect(world.add("item") != nil)
            #expect(world.log.events == [])
            #expect(!world.state.isEmpty)
        }

        @Test func `when open, gives each item a key of its own`() throws {
            var world = World()
            let first = try world.keep("item")
            _ = world.state.remove(first)
            let keys = [first, try world.keep("item"), try world.keep("item")]
            #expect(Set(keys).count == 3)
        }

        @Test func `when cancelled, cancels the item`() {
            var world = World.cancelled
            #expect(world.add("item") == nil)
            #expect(world.log.events == ["item at once"])
            #expect(world.state.isEmpty)
        }
    }

    @Suite struct Remove {
        @Test func `when open, gives the action back`() throws {
            var world = World()
            let key = try world.keep("item")
            let action = world.state.remove(key)
            #expect(world.state.isEmpty)
            world.cancel()
            #expect(world.log.events == [], "it has ended")
            action?()
            #expect(world.log.events == ["item"])
        }

        @Test func `when open, leaves the others`() throws {
            var world = World()
            let key = try world.keep("first")
            _ = world.add("second")
            let removed = world.state.remove(key)
            #expect(removed != nil)
            #expect(!world.state.isEmpty)
            world.cancel()
            #expect(world.log.events == ["second"])
        }

        @Test func `when open, for the second time gives nothing`() throws {
            var world = World()
            let key = try world.keep("item")
            let (first, second) = (world.state.remove(key), world.state.remove(key))
            #expect(first != nil)
            #expect(second == nil)
        }

        @Test func `when cancelled, gives nothing`() throws {
            var world = World()
            let key = try world.keep("item")
            world.cancel()
            let removed = world.state.remove(key)
            #expect(removed == nil)
            #expect(world.log.events == ["item"])
        }
    }

    @Suite struct Observe {
        @Test func `when open, keeps the observer`() {
            var world = World()
            world.observe("observer")
            #expect(world.log.events == [])
            #expect(world.state.isEmpty, "an observer is nothing to cancel")
            world.cancel()
            #expect(world.log.events == ["observer"])
        }

        @Test func `when cancelled, calls the observer`() {
            var world = World.cancelled
            world.observe("observer")
            #expect(world.log.events == ["observer at once"])
        }
    }

    @Suite struct Cancel {
        @Test func `when open, cancels the oldest first, then tells the observers`() throws {
            var world = World()
            world.observe("observer 1")
            var keys: [UInt64] = []
            // More than a dictionary keeps in order by chance.
            for number in 1...100 { keys.append(try world.keep("\(number)")) }
            world.observe("observer 2")
            for key in keys[10..<20] { _ = world.state.remove(key) }
            world.cancel()
            let items = (1...100).filter { !(11...20).contains($0) }.map { "\($0)" }
            #expect(world.log.events == items + ["observer 1", "observer 2"])
        }

        @Test func `when open and empty, gives nothing`() {
            var world = World()
            world.cancel()
            #expect(world.log.events == [])
            #expect(world.state.isCancelled)
        }

        @Test func `when cancelled, gives nothing`() {
            var world = World()
            _ = world.add("item")
            world.observe("observer")
            world.cancel()
            world.cancel()
            #expect(world.log.events == ["item", "observer"])
        }
    }

    @Suite struct Questions {
        @Test func `when open`() throws {
            var world = World()
            #expect(world.state.isEmpty && !world.state.isCancelled)
            let key = try world.keep("item")
            #expect(!world.state.isEmpty && !world.state.isCancelled)
            _ = world.state.remove(key)
            #expect(world.state.isEmpty && !world.state.isCancelled)
        }

        @Test func `when cancelled`() {
            var world = World()
            _ = world.add("item")
            world.cancel()
            #expect(world.state.isEmpty && world.state.isCancelled)
        }
    }
}
