// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// The form without `onCancel:`, which no other suite drives by hand.
@Suite("withCallback without onCancel:", .timeLimit(.minutes(10)))
struct PlainFormTests {
    private final class Wait: Sendable {
        let place = Place()
        let callback = Slot<Callback<Int, any Error>>()
        let starts = Log<Void>()
        let undelivered = Log<Int>()
        let actions = Log<Int>()
        let driven: HandDriven<Int>

        init(
            _ mode: CancellationMode = .prompt,
            timeout: BridgeTimeout? = nil,
            error: APIError? = nil
        ) {
            let (line, callback, starts) = (self.place.line, self.callback, self.starts)
            let (undelivered, actions) = (self.undelivered, self.actions)
            self.driven = HandDriven {
                try await withCallback(
                    cancellation: mode,
                    timeout: timeout,
                    onUndelivered: { undelivered($0) },
                    fileID: Place.fileID,
                    line: line
                ) { made in
                    starts(())
                    callback.put(made)
                    made.onCancel { actions(1) }
                    if let error { throw error }
                }
            }
        }

        deinit {
            self.callback.take()
            self.driven.turn()
        }

        func parked() -> Wait {
            self.driven.turn()
            return self
        }

        func cancel() {
            self.driven.cancel()
            self.driven.turn()
        }
    }

    @Test(arguments: [CancellationMode.prompt, .cooperative])
    func `does not start in a task cancelled already`(_ mode: CancellationMode) {
        let wait = Wait(mode)
        wait.cancel()
        #expect(throws: CancellationError.self) { try wait.driven.get() }
        #expect(wait.starts.count == 0)
        #expect(wait.actions.count == 0)
    }

    @Test(arguments: [false, true])
    func `goes on, and runs no action, if cancellation is ignored`(before: Bool) throws {
        let wait = Wait(.ignore)
        if !before { wait.driven.turn() }
        wait.cancel()
        #expect(!wait.driven.hasEnded)
        #expect(wait.callback.value?.resume(returning: 3) == true)
        wait.driven.turn()
        #expect(try wait.driven.get() == 3)
        #expect(wait.starts.count == 1)
        #expect(wait.actions.count == 0)
    }

    @Test func `throws at once when cancelled promptly`() {
        let wait = Wait().parked()
        wait.cancel()
        #expect(throws: CancellationError.self) { try wait.driven.get() }
        #expect(wait.actions.all == [1])
        #expect(wait.callback.value?.resume(returning: 3) == false)
        #expect(wait.undelivered.all == [3])
    }

    @Test func `waits for the answer when cancelled cooperatively`() throws {
        let wait = Wait(.cooperative).parked()
        wait.cancel()
        #expect(!wait.driven.hasEnded)
        #expect(wait.actions.all == [1])
        wait.callback.value?.resume(returning: 3)
        wait.driven.turn()
        #expect(try wait.driven.get() == 3)
    }

    @Test func `times out`() async {
        let clock = CountedClock()
        let wait = Wait(timeout: .after(.seconds(1), on: clock)).parked()
        await clock.hasSleeper()
        clock.advance(by: .seconds(1))
        await wait.driven.turnWhenWoken()
        #expect(throws: BridgeFault(.timedOut, made: wait.place.site)) { try wait.driven.get() }
        #expect(wait.actions.all == [1])
    }

    @Test func `throws the error of start`() {
        let wait = Wait(error: APIError(code: 5)).parked()
        #expect(throws: APIError(code: 5)) { try wait.driven.get() }
        #expect(wait.callback.value?.resume(returning: 3) == false)
        #expect(wait.undelivered.all == [3])
        #expect(wait.actions.all.isEmpty)
    }
}
