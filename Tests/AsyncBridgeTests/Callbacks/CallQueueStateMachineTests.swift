// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// What the machine wants done, comparable: the waiters are words.
private enum Told: Equatable {
    case start(String)
    case cancel(String)
    case nothing
}

@Suite("CallQueueStateMachine", .timeLimit(.minutes(10)))
struct CallQueueStateMachineTests {
    private final class Queue {
        private var machine = CallQueueStateMachine<String>()

        var isFree: Bool { self.machine.isFree }

        func enter() -> UInt64 { self.machine.enter() }

        func wait(_ word: String, _ number: UInt64) -> Told {
            switch self.machine.wait(word, of: number) {
            case .start(let word): .start(word)
            case .cancel(let word): .cancel(word)
            case .keep: .nothing
            }
        }

        func cancel(_ number: UInt64) -> Told {
            switch self.machine.cancel(number) {
            case .cancel(let word): .cancel(word)
            case .ignore: .nothing
            }
        }

        func end(_ number: UInt64) -> Told {
            switch self.machine.end(number) {
            case .start(let word): .start(word)
            case .ignore: .nothing
            }
        }
    }

    @Test func `free, the first call starts`() {
        let queue = Queue()
        #expect(queue.isFree)
        let first = queue.enter()
        #expect(!queue.isFree)
        #expect(queue.wait("a", first) == .start("a"))
        #expect(queue.end(first) == .nothing)
        #expect(queue.isFree)
    }

    @Test func `free, nothing else happens`() {
        let queue = Queue()
        let first = queue.enter()
        _ = queue.end(first)
        #expect(queue.wait("a", first) == .cancel("a"))
        #expect(queue.cancel(first) == .nothing)
        #expect(queue.end(first) == .nothing)
        #expect(queue.isFree)
    }

    @Test func `busy, a call waits for its turn`() {
        let queue = Queue()
        let (first, second) = (queue.enter(), queue.enter())
        #expect(queue.wait("b", second) == .nothing)
        #expect(queue.wait("a", first) == .start("a"))
        #expect(queue.end(first) == .start("b"))
        #expect(queue.end(second) == .nothing)
        #expect(queue.isFree)
    }

    @Test func `busy, a call whose task is late starts when it waits`() {
        let queue = Queue()
        let (first, second) = (queue.enter(), queue.enter())
        #expect(queue.end(first) == .nothing)
        #expect(!queue.isFree)
        #expect(queue.wait("b", second) == .start("b"))
    }

    @Test func `busy, a cancelled call leaves the line and the next keeps its place`() {
        let queue = Queue()
        let (first, second, third) = (queue.enter(), queue.enter(), queue.enter())
        #expect(queue.wait("b", second) == .nothing)
        #expect(queue.wait("c", third) == .nothing)
        #expect(queue.cancel(second) == .cancel("b"))
        // The end of the cancelled call moves nothing.
        #expect(queue.end(second) == .nothing)
        #expect(queue.end(first) == .start("c"))
    }

    @Test func `busy, a call that is cancelled before its task waits is told then`() {
        let queue = Queue()
        let (first, second) = (queue.enter(), queue.enter())
        #expect(queue.cancel(second) == .nothing)
        #expect(queue.wait("b", second) == .cancel("b"))
        #expect(queue.end(first) == .nothing)
        #expect(queue.isFree)
    }

    @Test func `busy, the call whose turn it is keeps it when it is cancelled`() {
        let queue = Queue()
        let (first, second) = (queue.enter(), queue.enter())
        #expect(queue.cancel(first) == .nothing)
        #expect(queue.wait("b", second) == .nothing)
        #expect(queue.wait("a", first) == .start("a"))
        #expect(queue.end(first) == .start("b"))
    }

    @Test func `a second end moves nothing`() {
        let queue = Queue()
        let (first, second, third) = (queue.enter(), queue.enter(), queue.enter())
        #expect(queue.wait("b", second) == .nothing)
        #expect(queue.wait("c", third) == .nothing)
        #expect(queue.end(first) == .start("b"))
        #expect(queue.end(first) == .nothing)
        #expect(queue.end(second) == .start("c"))
    }
}
