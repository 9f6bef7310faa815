// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import Testing

@Suite("Callback.onCancel", .timeLimit(.minutes(10)))
struct CancelActionTests {
    static let modes: [CancellationMode] = [.prompt, .cooperative]

    @Test(arguments: modes)
    func `runs actions registered in start, in order, after onCancel:`(_ mode: CancellationMode) {
        let log = Log<Int>()
        let exchange = Exchange<Int>(
            Int.self,
            .init(cancellation: mode),
            start: { callback in for number in 1...3 { callback.onCancel { log(number) } } },
            onCancel: { log(0) }
        )
        exchange.wait.turn()
        #expect(log.all.isEmpty)
        exchange.cancel()
        #expect(log.all == [0, 1, 2, 3])
        exchange.resume(returning: 1)
        exchange.wait.turn()
        #expect(log.all == [0, 1, 2, 3])
    }

    @Test(arguments: modes)
    func `runs actions registered while the waiter is parked`(_ mode: CancellationMode) {
        let log = Log<Int>()
        let exchange = Exchange<Int>.parked(.init(cancellation: mode))
        exchange.callback.value?.onCancel { log(1) }
        exchange.callback.value?.onCancel { log(2) }
        exchange.cancel()
        #expect(log.all == [1, 2])
    }

    @Test(arguments: modes)
    func `runs an action registered between the cancellation and the waiter's look`(_ mode: CancellationMode) {
        let log = Log<Int>()
        let exchange = Exchange<Int>.parked(.init(cancellation: mode))
        exchange.wait.cancel()
        exchange.callback.value?.onCancel { log(1) }
        exchange.wait.turn()
        #expect(log.all == [1])
    }

    @Test(arguments: modes)
    func `runs an action registered after the cancellation at once, in the call`(_ mode: CancellationMode) {
        let log = Log<Int>()
        let exchange = Exchange<Int>.parked(.init(cancellation: mode))
        exchange.cancel()
        exchange.callback.value?.onCancel { log(1) }
        #expect(log.all == [1])
        exchange.resume(returning: 1)
        exchange.wait.turn()
        #expect(log.all == [1])
    }

    @Test(arguments: modes)
    func `runs an action registered by an action`(_ mode: CancellationMode) {
        let log = Log<Int>()
        let exchange = Exchange<Int>.parked(.init(cancellation: mode))
        let callback = exchange.callback.value
        callback?.onCancel {
            log(1)
            callback?.onCancel { log(2) }
        }
        exchange.cancel()
        #expect(log.all == [1, 2])
    }

    @Test(arguments: modes)
    func `never runs, and releases, an action whose wait ended with a result`(_ mode: CancellationMode) {
        let (log, lifetimes) = (Log<Int>(), Lifetimes())
        let exchange = Exchange<Int>(
            Int.self,
            .init(cancellation: mode),
            start: { callback in
                let probe = lifetimes.probe()
                callback.onCancel { log(probe.number) }
            }
        )
        exchange.wait.turn()
        #expect(lifetimes.alive == 1)
        exchange.resume(returning: 1)
        exchange.cancel()
        #expect(exchange.wait.hasEnded)
        #expect(lifetimes.alive == 0, "released though the callback lives on")

        let probe = lifetimes.probe()
        exchange.callback.value?.onCancel { log(probe.number) }
        #expect(log.all.isEmpty)
    }

    @Test func `releases an action registered after an answer in start`() {
        let (log, lifetimes) = (Log<Int>(), Lifetimes())
        let exchange = Exchange<Int>(start: { callback in
            callback.resume(returning: 1)
            let probe = lifetimes.probe()
            callback.onCancel { log(probe.number) }
        })
        exchange.wait.turn()
        exchange.cancel()
        #expect(lifetimes.alive == 0)
        #expect(log.all.isEmpty)
    }

    @Test(arguments: modes)
    func `releases actions that have run`(_ mode: CancellationMode) {
        let lifetimes = Lifetimes()
        let exchange = Exchange<Int>(
            Int.self,
            .init(cancellation: mode),
            start: { callback in
                let probe = lifetimes.probe()
                callback.onCancel { probe.touch() }
            }
        )
        exchange.wait.turn()
        exchange.cancel()
        #expect(exchange.callback.value != nil)
        #expect(lifetimes.alive == 0)
    }

    @Test(arguments: modes)
    func `an action may wait for a thread that answers`(_ mode: CancellationMode) {
        let exchange = Exchange<Int>.parked(.init(cancellation: mode))
        let callback = exchange.callback.value
        callback?.onCancel {
            let answered = DispatchSemaphore(value: 0)
            detachThread {
                callback?.resume(returning: 3)
                callback?.onCancel {}
                answered.signal()
            }
            #expect(answered.wait(timeout: .now() + 30) == .success, "deadlock")
        }
        exchange.cancel()
        #expect(exchange.wait.hasEnded)
    }

    /// An action's `deinit` is the user's code as well.
    @Test func `releases actions outside its lock`() {
        final class Reentrant: Sendable {
            let callback: Slot<Callback<Int, any Error>>
            init(_ callback: Slot<Callback<Int, any Error>>) { self.callback = callback }
            deinit { self.callback.value?.onCancel {} }
            func touch() {}
        }
        let exchange = Exchange<Int>.parked()
        let reentrant = Slot<Reentrant>()
        reentrant.put(Reentrant(exchange.callback))
        if let object = reentrant.take() { exchange.callback.value?.onCancel { object.touch() } }
        exchange.resume(returning: 1)
        exchange.wait.turn()
        #expect(exchange.wait.hasEnded)
    }
}
