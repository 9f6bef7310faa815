// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import Testing

@Suite("Cancellation", .timeLimit(.minutes(10)))
struct CancellationTests {
    @Test func `prompt throws at once and refuses the answer`() {
        let exchange = Exchange<Int>.parked()
        exchange.cancel()
        #expect(throws: CancellationError.self) { try exchange.wait.get() }
        #expect(exchange.cancelled.all == [42], "onCancel gets the token, once")
        #expect(!exchange.resume(returning: 1))
        #expect(exchange.undelivered.all == [1])
        #expect(exchange.cancelled.count == 1)
        #expect(exchange.place.reports.isEmpty)
    }

    @Test func `cooperative waits for the answer`() throws {
        let exchange = Exchange<Int>.parked(.init(cancellation: .cooperative))
        exchange.cancel()
        #expect(!exchange.wait.hasEnded)
        #expect(exchange.cancelled.all == [42], "onCancel gets the token, once")
        #expect(exchange.resume(returning: 1))
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 1)
        #expect(exchange.cancelled.count == 1)
        #expect(exchange.undelivered.all.isEmpty)
    }

    @Test func `cooperative throws the source's own error`() {
        let exchange = Exchange<Int>.parked(.init(cancellation: .cooperative))
        exchange.cancel()
        exchange.callback.value?.resume(throwing: APIError(code: 9))
        exchange.wait.turn()
        #expect(throws: APIError(code: 9)) { try exchange.wait.get() }
    }

    @Test(arguments: [CancellationMode.prompt, .cooperative])
    func `after the answer comes too late`(_ mode: CancellationMode) throws {
        let exchange = Exchange<Int>.parked(.init(cancellation: mode))
        #expect(exchange.resume(returning: 1))
        exchange.cancel()
        #expect(try exchange.wait.get() == 1)
        #expect(exchange.cancelled.count == 0)
    }

    @Test
    func `between the wake-up of a cancelled cooperative waiter and its look, an answer wins`() throws {
        let exchange = Exchange<Int>.parked(.init(cancellation: .cooperative))
        exchange.wait.cancel()
        #expect(exchange.resume(returning: 1))
        exchange.wait.turn()
        #expect(try exchange.wait.get() == 1)
        #expect(exchange.cancelled.count == 0, "there was nothing left to stop")
    }

    @Test(arguments: [CancellationMode.prompt, .cooperative]
    )
    func `runs its action in the waiter, not in the call that cancels`(_ mode: CancellationMode) {
        let exchange = Exchange<Int>.parked(.init(cancellation: mode))
        exchange.wait.cancel()
        #expect(exchange.cancelled.count == 0)
        exchange.wait.turn()
        #expect(exchange.cancelled.count == 1)
    }

    @Test(arguments: [CancellationMode.prompt, .cooperative])
    func `twice runs the action once`(_ mode: CancellationMode) {
        let exchange = Exchange<Int>.parked(.init(cancellation: mode))
        exchange.cancel()
        exchange.cancel()
        #expect(exchange.cancelled.count == 1)
    }

    /// The runtime's `onCancel` handler holds the task's lock, which resuming the task takes: run there, this hangs.
    @Test(arguments: [CancellationMode.prompt, .cooperative]
    )
    func `an action may wait for a thread that answers`(_ mode: CancellationMode) throws {
        let callback = Slot<Callback<Int, any Error>>()
        let accepted = Slot<Bool>()
        let exchange = Exchange<Int>.parked(.init(cancellation: mode)) {
            let answered = DispatchSemaphore(value: 0)
            detachThread {
                accepted.put(callback.value?.resume(returning: 3) ?? false)
                answered.signal()
            }
            #expect(answered.wait(timeout: .now() + 30) == .success, "deadlock")
        }
        exchange.callback.value.map(callback.put)
        exchange.cancel()
        #expect(accepted.value == (mode == .cooperative))
        switch mode {
        case .prompt: #expect(throws: CancellationError.self) { try exchange.wait.get() }
        case .cooperative, .ignore: #expect(try exchange.wait.get() == 3)
        }
    }

    @Test
    func `an action that answers itself ends a cooperative wait with its answer`() throws {
        let callback = Slot<Callback<Int, any Error>>()
        let exchange = Exchange<Int>.parked(.init(cancellation: .cooperative)) {
            callback.value?.resume(returning: 8)
        }
        exchange.callback.value.map(callback.put)
        exchange.cancel()
        #expect(try exchange.wait.get() == 8)
    }

    @Test func `of the form without action throws at once`() {
        let callback = Slot<Callback<Int, any Error>>()
        let wait = HandDriven { try await withCallback(of: Int.self) { callback.put($0) } }
        wait.turn()
        wait.cancel()
        wait.turn()
        #expect(throws: CancellationError.self) { try wait.get() }
        #expect(callback.value?.resume(returning: 1) == false)
    }

    @Test
    func `from another thread ends the wait`() async {
        let exchange = Exchange<Int>.parked()
        await onThread { exchange.wait.cancel() }
        exchange.wait.turn()
        #expect(throws: CancellationError.self) { try exchange.wait.get() }
    }
}

@Suite("What comes too late", .timeLimit(.minutes(10)))
struct UndeliveredTests {
    @Test func `goes to on undelivered in the call that delivers it`() {
        let exchange = Exchange<Int>.parked()
        exchange.cancel()
        #expect(exchange.undelivered.all.isEmpty)
        exchange.resume(returning: 1)
        #expect(exchange.undelivered.all == [1])
    }

    @Test func `is not called for an error`() {
        let exchange = Exchange<Int>.parked()
        exchange.cancel()
        #expect(exchange.callback.value?.resume(throwing: APIError()) == false)
        #expect(exchange.undelivered.all.isEmpty)
    }

    @Test func `is released if nobody asks for it`() {
        let lifetimes = Lifetimes()
        let callback = Slot<Callback<Lifetimes.Probe, any Error>>()
        let wait = HandDriven { try await withCallback(of: Lifetimes.Probe.self) { callback.put($0) } }
        wait.turn()
        wait.cancel()
        wait.turn()
        #expect(callback.value?.resume(returning: lifetimes.probe()) == false)
        #expect(lifetimes.alive == 0)
    }
}
