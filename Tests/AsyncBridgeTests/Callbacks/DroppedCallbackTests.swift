// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("A callback that is dropped", .timeLimit(.minutes(10)))
struct DroppedCallbackTests {
    private func expectDrop(_ exchange: Exchange<Int>, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: BridgeFault(.callbackDropped, made: exchange.place.site), sourceLocation: sourceLocation) {
            try exchange.wait.get()
        }
        let reports = exchange.place.reports
        #expect(reports.map(\.kind) == [.droppedCallback], sourceLocation: sourceLocation)
        #expect(reports.map(\.bridge) == ["withCallback"], sourceLocation: sourceLocation)
        #expect(reports.flatMap(\.involved).isEmpty, sourceLocation: sourceLocation)
    }

    @Test(arguments: [false, true])
    func `before the wait ends it with a fault that names the place`(withAction: Bool) {
        let place = Place()
        let wait = HandDriven {
            try await withCallback(of: Int.self, fileID: Place.fileID, line: place.line) { callback in
                if withAction { callback.onCancel {} }
            }
        }
        wait.turn()
        #expect(throws: BridgeFault(.callbackDropped, made: place.site)) { try wait.get() }
        #expect(place.reports.map(\.kind) == [.droppedCallback])
    }

    @Test func `during the wait ends it`() {
        let exchange = Exchange<Int>.parked()
        exchange.callback.take()
        exchange.wait.turn()
        self.expectDrop(exchange)
    }

    @Test func `on another thread ends the wait`() async {
        let exchange = Exchange<Int>.parked()
        await onThread { exchange.callback.take() }
        exchange.wait.turn()
        self.expectDrop(exchange)
    }

    @Test func `between the cancellation and the answer ends a cooperative wait`() {
        let exchange = Exchange<Int>.parked(.init(cancellation: .cooperative))
        exchange.cancel()
        #expect(!exchange.wait.hasEnded)
        exchange.callback.take()
        exchange.wait.turn()
        self.expectDrop(exchange)
        #expect(exchange.cancelled.all == [42])
    }

    @Test func `by a cancel action ends a cooperative wait`() {
        let slot = Slot<Slot<Callback<Int, any Error>>>()
        let exchange = Exchange<Int>.parked(.init(cancellation: .cooperative), onCancel: { slot.take()?.take() })
        slot.put(exchange.callback)
        exchange.cancel()
        self.expectDrop(exchange)
    }

    @Test func `is not dropped as long as a copy lives`() {
        let exchange = Exchange<Int>.parked()
        let copy = Slot<Callback<Int, any Error>>()
        exchange.callback.value.map(copy.put)
        exchange.callback.take()
        exchange.wait.turn()
        #expect(!exchange.wait.hasEnded)
        copy.take()
        exchange.wait.turn()
        self.expectDrop(exchange)
    }

    @Test func `with its handler ends the wait`() {
        let handler = Slot<@Sendable (Int?, (any Error)?) -> Void>()
        let exchange = Exchange<Int>(start: { handler.put($0.handler()) })
        exchange.wait.turn()
        exchange.callback.take()
        #expect(!exchange.wait.hasEnded)
        handler.take()
        exchange.wait.turn()
        self.expectDrop(exchange)
    }

    @Test(arguments: [CancellationMode.prompt, .cooperative])
    func `and whose wait is over is not reported`(_ mode: CancellationMode) {
        let exchange = Exchange<Int>.parked(.init(cancellation: mode))
        exchange.cancel()
        exchange.resume(returning: 1)
        exchange.wait.turn()
        exchange.callback.take()
        #expect(exchange.wait.hasEnded)
        #expect(exchange.place.reports.isEmpty)
    }

    @Test func `runs no cancel action`() {
        let log = Log<Int>()
        let exchange = Exchange<Int>(start: { $0.onCancel { log(1) } })
        exchange.wait.turn()
        exchange.callback.take()
        exchange.wait.turn()
        self.expectDrop(exchange)
        #expect(log.all.isEmpty)
        #expect(exchange.cancelled.all.isEmpty)
    }

    /// A variable of the waiter's own frame must not keep it.
    @Test func `in a frame that goes on is noticed`() async {
        let place = Place()
        await #expect(throws: BridgeFault(.callbackDropped, made: place.site)) {
            let value = try await withCallback(of: Int.self, fileID: Place.fileID, line: place.line) { callback in
                let copy = callback
                detachThread { _ = copy }
            }
            Issue.record("answered \(value)")
        }
    }
}
