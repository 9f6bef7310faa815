// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Threads that take one step after the other over a ``WeakMemory``: what the explorations of our protocols share.
package protocol SteppedWorld: Hashable {
    associatedtype Step

    var memory: WeakMemory { get set }
    /// What each thread does next.
    var steps: [Step] { get set }
    /// What each thread has seen in the word, in the middle of an event.
    var seen: [UInt?] { get set }
}

extension SteppedWorld {
    /// Takes a step that uses no memory.
    ///
    /// - Parameters:
    ///   - step: What the thread does next.
    ///   - thread: The thread.
    /// - Returns: The world after it.
    package func with(_ step: Step, of thread: Int) -> Self {
        var world = self
        world.steps[thread] = step
        return world
    }

    /// Takes a step that is a plain access.
    ///
    /// - Parameters:
    ///   - place: The place in memory.
    ///   - thread: Who uses it.
    ///   - bits: What it writes; nil if it reads.
    ///   - next: What the thread does next.
    /// - Returns: The world after it; `nil` if the access is a data race.
    package func using(_ place: Int, by thread: Int, writing bits: UInt?, then next: Step) -> Self? {
        var world = self.with(next, of: thread)
        return world.memory.usePlain(place, by: thread, writing: bits) == nil ? nil : world
    }

    /// Takes one round of the loop that applies an event to a word.
    ///
    /// - Parameters:
    ///   - place: The word.
    ///   - thread: Who applies the event.
    ///   - orders: How the loop orders memory.
    ///   - event: The next state and the caller's action.
    ///   - then: What the thread does next, when the event is applied.
    /// - Returns: The worlds after it: one for each value that can be read.
    package func applying<Action: Sendable>(
        at place: Int,
        by thread: Int,
        _ orders: WordOrders,
        _ event: (UInt) -> (next: UInt, action: Action),
        then: (inout Self, Action) -> Step
    ) -> [Self] {
        self.memory.rounds(at: place, by: thread, seen: self.seen[thread], orders: orders, event).map { round in
            var world = self
            switch round {
            case .again(let seen, let memory):
                world.memory = memory
                world.seen[thread] = seen
            case .applied(let action, let memory):
                world.memory = memory
                world.seen[thread] = nil
                world.steps[thread] = then(&world, action)
            }
            return world
        }
    }
}
