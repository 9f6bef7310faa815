// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("start that throws", .timeLimit(.minutes(10)))
struct ThrowingStartTests {
    @Test(arguments: [false, true])
    func `ends the wait with its error`(withAction: Bool) {
        let log = Log<Int>()
        let exchange = Exchange<Int>(start: { callback in
            if withAction { callback.onCancel { log(1) } }
            throw APIError(code: 5)
        })
        exchange.wait.turn()
        #expect(throws: APIError(code: 5)) { try exchange.wait.get() }
        #expect(!exchange.resume(returning: 1), "a late answer is refused")
        #expect(exchange.undelivered.all == [1])
        #expect(exchange.place.reports.isEmpty, "nor is it a mistake")
        #expect(!exchange.resume(returning: 2))
        #expect(exchange.place.reports.map(\.kind) == [.duplicateAnswer])
        exchange.callback.take()
        #expect(log.all.isEmpty)
        #expect(exchange.cancelled.all.isEmpty)
    }

    @Test(arguments: [false, true], [false, true])
    func `after the answer gives the value back`(withAction: Bool, onAnotherThread: Bool) {
        let exchange = Exchange<Int>(start: { callback in
            if withAction { callback.onCancel {} }
            if onAnotherThread {
                let answered = Slot<Bool>()
                detachThread { answered.put(callback.resume(returning: 1)) }
                spin { answered.value != nil }
            } else {
                #expect(callback.resume(returning: 1))
            }
            throw APIError(code: 5)
        })
        exchange.wait.turn()
        #expect(throws: APIError(code: 5)) { try exchange.wait.get() }
        #expect(exchange.undelivered.all == [1])
        #expect(!exchange.resume(returning: 2))
        #expect(exchange.undelivered.all == [1, 2])
        #expect(exchange.place.reports.map(\.kind) == [.duplicateAnswer])
    }

    @Test(arguments: [false, true])
    func `and drops the callback is not reported`(withAction: Bool) {
        let exchange = Exchange<Int>(start: { callback in
            if withAction { callback.onCancel {} }
            throw APIError()
        })
        exchange.wait.turn()
        exchange.callback.take()
        #expect(exchange.place.reports.isEmpty)
    }

    @Test
    func `releases the cancel actions at once, though the callback lives on`() {
        let lifetimes = Lifetimes()
        let exchange = Exchange<Int>(start: { callback in
            let probe = lifetimes.probe()
            callback.onCancel { probe.touch() }
            throw APIError()
        })
        exchange.wait.turn()
        #expect(exchange.callback.value != nil)
        #expect(lifetimes.alive == 0)
    }
}

@Suite("In a task cancelled already", .timeLimit(.minutes(10)))
struct AlreadyCancelledTests {
    @Test(arguments: [CancellationMode.prompt, .cooperative])
    func `start does not run`(_ mode: CancellationMode) {
        let exchange = Exchange<Int>(Int.self, .init(cancellation: mode))
        exchange.cancel()
        #expect(throws: CancellationError.self) { try exchange.wait.get() }
        #expect(exchange.started.count == 0)
        #expect(exchange.cancelled.count == 0)
        #expect(exchange.place.reports.isEmpty)
    }

    @Test func `start runs if cancellation is ignored`() throws {
        let exchange = Exchange<Int>(Int.self, .init(cancellation: .ignore))
        exchange.cancel()
        #expect(!exchange.wait.hasEnded)
        #expect(exchange.started.count == 1)
        #expect(exchange.resume(returning: 3))
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 3)
        #expect(exchange.cancelled.count == 0)
    }

    @Test func `an answer within start ends a wait that ignores cancellation`() throws {
        let exchange = Exchange<Int>(Int.self, .init(cancellation: .ignore), start: { $0.resume(returning: 3) })
        exchange.cancel()
        #expect(try exchange.wait.get() == 3)
    }

    @Test(arguments: [CancellationMode.prompt, .cooperative])
    func `start that cancels its own task has started`(_ mode: CancellationMode) {
        let exchange = Exchange<Int>(
            Int.self,
            .init(cancellation: mode),
            start: { _ in withUnsafeCurrentTask { $0?.cancel() } }
        )
        exchange.wait.turn()
        #expect(exchange.cancelled.all == [42])
        #expect(exchange.wait.hasEnded == (mode == .prompt))
        exchange.resume(returning: 1)
        exchange.wait.turn()
        #expect(exchange.wait.hasEnded)
    }
}
