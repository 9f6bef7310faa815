// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

/// Every event in every state.
@Suite("The state of a scope that waits for its children", .timeLimit(.minutes(10)))
struct CoroutineScopeStateTests {
    /// The machine, in an object: what `#expect` looks at must not change itself.
    final class Machine {
        private var state = CoroutineScopeState()

        var error: (any Error)? { self.state.error }
        func begin() -> Bool { self.state.begin() }
        func fail(_ error: any Error) -> Bool { self.state.fail(error) }
        func cancel() { self.state.cancel() }
        func childEnded() -> Bool { self.state.childEnded() }
        func bodyEnded() -> Bool { self.state.bodyEnded() }
    }

    static func body(_ children: Int = 0) -> Machine {
        let state = Machine()
        for _ in 0..<children { _ = state.begin() }
        return state
    }

    static func waiting(_ children: Int) -> Machine {
        let state = Self.body(children)
        _ = state.bodyEnded()
        return state
    }

    static func over() -> Machine {
        let state = Self.body()
        _ = state.bodyEnded()
        return state
    }

    @Suite struct Begin {
        @Test func `in the body`() {
            let state = body()
            #expect(state.begin())
            #expect(!state.bodyEnded(), "the child runs")
        }

        @Test func `while it waits`() {
            let state = waiting(1)
            #expect(state.begin())
            #expect(!state.childEnded())
            #expect(state.childEnded())
        }

        @Test func `when over, it is late`() {
            let state = over()
            #expect(!state.begin())
            #expect(!state.childEnded(), "it is over once")
        }

        @Test func `after a cancellation, its work is incomplete`() {
            let state = body()
            state.cancel()
            #expect(state.error == nil)
            _ = state.begin()
            #expect(state.error is CancellationError)
        }
    }

    @Suite struct Cancel {
        @Test func `in the body, without children, is the body's affair`() {
            let state = body()
            state.cancel()
            #expect(state.bodyEnded())
            #expect(state.error == nil)
        }

        @Test func `in the body, with a child`() {
            let state = body(1)
            state.cancel()
            #expect(state.error is CancellationError)
        }

        @Test func `in the body, after the children, is the body's affair`() {
            let state = body(1)
            _ = state.childEnded()
            state.cancel()
            #expect(state.error == nil)
        }

        @Test func `while it waits`() {
            let state = waiting(1)
            state.cancel()
            #expect(state.childEnded())
            #expect(state.error is CancellationError)
        }

        @Test func `when over, changes nothing`() {
            let state = over()
            _ = state.begin()
            state.cancel()
            #expect(state.error == nil)
        }

        @Test func `an error is more than a cancellation`() {
            let state = waiting(1)
            state.cancel()
            #expect(state.fail(Failure(1)))
            #expect(state.error as? Failure == Failure(1))
        }
    }

    @Suite struct Fail {
        @Test func `the first is kept`() {
            for first in [body(1), waiting(1)] {
                let state = first
                #expect(state.fail(Failure(1)))
                #expect(!state.fail(Failure(2)))
                #expect(state.error as? Failure == Failure(1))
            }
        }

        @Test func `when over, changes nothing`() {
            let state = over()
            #expect(!state.fail(Failure(1)))
            #expect(state.error == nil)
        }
    }

    @Suite struct End {
        @Test func `of the body, when over, is a bug`() async {
            await #expect(processExitsWith: .failure) {
                let state = CoroutineScopeStateTests.over()
                _ = state.bodyEnded()
            }
        }

        @Test func `of the body, while it waits, is a bug`() async {
            await #expect(processExitsWith: .failure) {
                let state = CoroutineScopeStateTests.waiting(1)
                _ = state.bodyEnded()
            }
        }

        @Test func `of all children, before that of the body`() {
            let state = body(2)
            #expect(!state.childEnded())
            #expect(!state.childEnded())
            #expect(state.bodyEnded())
        }
    }
}

private func body(_ children: Int = 0) -> CoroutineScopeStateTests.Machine { CoroutineScopeStateTests.body(children) }
private func waiting(_ children: Int) -> CoroutineScopeStateTests.Machine { CoroutineScopeStateTests.waiting(children) }
private func over() -> CoroutineScopeStateTests.Machine { CoroutineScopeStateTests.over() }
