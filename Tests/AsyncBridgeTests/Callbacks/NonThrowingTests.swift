// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// Drives any of the forms that do not throw.
private final class Wait: Sendable {
    typealias Start = @Sendable (Callback<Int, Never>) -> Void

    let place = Place()
    let callback = Slot<Callback<Int, Never>>()
    let cancelled = Log<Int>()
    let driven: HandDriven<Int>

    init(_ body: @escaping @Sendable (_ line: UInt, _ start: Start, Log<Int>) async -> Int) {
        let (line, callback, cancelled) = (self.place.line, self.callback, self.cancelled)
        self.driven = HandDriven { await body(line, { callback.put($0) }, cancelled) }
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

    var value: Int? { try? self.driven.get() }
}

@Suite("withCallback(ifInterrupted:)", .timeLimit(.minutes(10)))
struct IfInterruptedTests {
    private let interruptions = Log<String>()

    private func make(
        withAction: Bool,
        _ mode: CancellationMode = .prompt,
        timeout: BridgeTimeout? = nil
    ) -> Wait {
        let interruptions = self.interruptions
        return Wait { line, start, cancelled in
            let fallback: (BridgeInterruption) -> sending Int = {
                interruptions("\($0.error)")
                return -1
            }
            guard withAction else {
                return await withCallback(
                    ifInterrupted: fallback,
                    cancellation: mode,
                    timeout: timeout,
                    fileID: Place.fileID,
                    line: line,
                    start
                )
            }
            return await withCallback(
                ifInterrupted: fallback,
                cancellation: mode,
                timeout: timeout,
                fileID: Place.fileID,
                line: line
            ) {
                start($0)
                return 42
            } onCancel: {
                cancelled($0)
            }
        }
    }

    @Test(arguments: [false, true])
    func `returns the answer`(withAction: Bool) {
        let wait = self.make(withAction: withAction).parked()
        #expect(wait.callback.value?.resume(returning: 3) == true)
        wait.driven.turn()
        #expect(wait.value == 3)
        #expect(self.interruptions.all.isEmpty)
    }

    @Test(arguments: [false, true], [false, true])
    func `returns the fallback at once for a prompt cancellation`(withAction: Bool, before: Bool) {
        let wait = self.make(withAction: withAction)
        if !before { wait.driven.turn() }
        wait.cancel()
        #expect(wait.value == -1)
        #expect(self.interruptions.all == ["CancellationError()"])
        #expect((wait.callback.value != nil) == !before, "start does not run in a cancelled task")
        #expect(wait.cancelled.count == (withAction && !before ? 1 : 0))
    }

    @Test func `returns an answer given in start`() async {
        #expect(await withCallback(ifInterrupted: { _ in -1 }) { callback in callback.resume(returning: 3) } == 3)
        let withAction = await withCallback(ifInterrupted: { _ in -1 }) { callback in
            callback.resume(returning: 4)
        } onCancel: { _ in
            Issue.record("cancelled")
        }
        #expect(withAction == 4)
    }

    @Test(arguments: [false, true], [false, true])
    func `starts in a cancelled task, and waits for the answer, if cancellation is ignored`(
        withAction: Bool,
        before: Bool
    ) {
        let wait = self.make(withAction: withAction, .ignore)
        if !before { wait.driven.turn() }
        wait.cancel()
        #expect(wait.value == nil)
        #expect(wait.callback.value?.resume(returning: 3) == true)
        wait.driven.turn()
        #expect(wait.value == 3)
        #expect(wait.cancelled.all.isEmpty)
        #expect(self.interruptions.all.isEmpty)
    }

    @Test(arguments: [false, true])
    func `waits for the answer after a cooperative cancellation`(withAction: Bool) {
        let wait = self.make(withAction: withAction, .cooperative).parked()
        wait.cancel()
        #expect(wait.value == nil)
        #expect(wait.cancelled.count == (withAction ? 1 : 0))
        wait.callback.value?.resume(returning: 3)
        wait.driven.turn()
        #expect(wait.value == 3)
    }

    @Test(arguments: [false, true], [CancellationMode.prompt, .cooperative, .ignore])
    func `returns the fallback when it times out`(withAction: Bool, _ mode: CancellationMode) async {
        let clock = CountedClock()
        let wait = self.make(withAction: withAction, mode, timeout: .after(.seconds(1), on: clock)).parked()
        await clock.hasSleeper()
        clock.advance(by: .seconds(1))
        await wait.driven.turnWhenWoken()
        #expect(wait.value == -1)
        #expect(self.interruptions.all == ["\(BridgeFault(.timedOut, made: wait.place.site))"])
        #expect(wait.cancelled.count == (withAction ? 1 : 0))
    }

    @Test(arguments: [false, true], [CancellationMode.prompt, .cooperative, .ignore])
    func `returns the fallback for a dropped callback`(withAction: Bool, _ mode: CancellationMode) {
        let wait = self.make(withAction: withAction, mode).parked()
        wait.callback.take()
        wait.driven.turn()
        #expect(wait.value == -1)
        #expect(self.interruptions.all == ["\(BridgeFault(.callbackDropped, made: wait.place.site))"])
        #expect(wait.place.reports.map(\.kind) == [.droppedCallback])
    }
}
