// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 4: no user code runs under a lock, the runtime's included.

extension SequenceLaws {
    static let locks: [Scenario<SequenceTrial>] = [
        Scenario("cancelled, cancel() waits for the thread that is sending", .noLocks) { trial in
            let send = Self.AwaitedSend(trial.stage)
            let consumer = trial.consume(.all, stops: .once) { source, _ in source.onCancel { _ in send.wait() } }
            await trial.suspended(consumer)
            send.begin(2, by: consumer.source)
            trial.stage.begin { consumer.cancel() }
            // If cancel() was not even called, the cause is not a lock.
            await trial.expect(.cancellation, of: consumer, hang: send.isAwaited ? .noLocks : .cancellation)
        },
        Scenario("left, cancel() waits for the thread that is sending", .noLocks) { trial in
            let send = Self.AwaitedSend(trial.stage)
            let consumer = trial.consume(.breaking(after: 1), stops: .once) { source, _ in
                source.onCancel { _ in send.wait() }
            }
            await trial.suspended(consumer)
            send.begin(2, by: consumer.source)
            trial.stage.begin { consumer.source.send([1]) }
            await trial.left(consumer, hang: send.isAwaited ? .noLocks : .neverLost)
        },
        Scenario(
            "takeBack() waits for the thread that is sending",
            .noLocks,
            advice: Self.handBackUnlocked,
            if: { $0.handsBackElements }
        ) { trial in
            let send = Self.AwaitedSend(trial.stage)
            let consumer = trial.consume(.breaking(after: 1), stops: .once) { source, _ in
                source.onTakeBack { if $0 == 2 { send.waitOnce() } }
            }
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            await trial.left(consumer)
            send.begin(3, by: consumer.source)
            trial.stage.begin { consumer.source.send([2]) }
            await Self.expectThrough(send, trial)
        },
        // Found: a bridge that empties its buffer under its lock, and hands back there.
        Scenario(
            "left, takeBack() of what was kept waits for the thread that is sending",
            .noLocks,
            advice: Self.handBackUnlocked,
            if: { $0.handsBackElements && $0.keepsAll }
        ) { trial in
            let send = Self.AwaitedSend(trial.stage)
            let consumer = trial.consume(.breaking(after: 2), stops: .once, permits: 1) { source, _ in
                source.onTakeBack { if $0 == 3 { send.waitOnce() } }
            }
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            await trial.stage.onSourceThread { consumer.source.send([2, 3]) }
            send.begin(4, by: consumer.source)
            consumer.state.update { $0.permits = .max }
            await Self.expectThrough(send, trial)
            trial.stage.rescue()
            await trial.left(consumer)
        },
        // Found: a lock that is held while start runs.
        Scenario(
            "start waits for the thread that is sending",
            .noLocks,
            advice: "start the source without a lock: its handler may run on another thread before start has returned"
        ) { trial in
            let action = WaitingAction(trial.stage)
            let consumer = trial.consume(.all, stops: .afterEnd) { source, _ in source.onStart { _ in action.run() } }
            // The handlers are known when start is called.
            action.begin { consumer.source.send([1]) }
            // If it is not started, another scenario says so.
            guard let isThrough = await action.hasLetThrough() else { return }
            if !isThrough {
                trial.report.violation(
                    "expected the element handler to come back while start runs on another thread, but it hangs: the "
                        + "bridge calls start under a lock that its handler takes"
                )
            }
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.left(consumer)
        },
        Scenario(
            "the release of the source's handle waits for the thread that is sending",
            .noLocks,
            advice: "take the handle out under the lock, release the lock, and only then release the handle"
        ) { trial in
            let action = WaitingAction(trial.stage)
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            consumer.source.onRelease { action.run() }
            action.begin { consumer.source.send([2]) }
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.left(consumer)
            // The handler may be what keeps the handle.
            await trial.stage.onSourceThread { consumer.source.forget() }
            guard await action.hasLetThrough() == false else { return }
            trial.report.violation(
                "expected the element handler to come back while the source's handle is released on another thread, "
                    + "but it hangs: the bridge releases the handle under a lock that its handler takes"
            )
        },
    ]

    private static let handBackUnlocked =
        "take the element out under the lock, release the lock, then hand the element back"

    private static func expectThrough(_ send: AwaitedSend, _ trial: SequenceTrial) async {
        // If the element was not handed back, that is reported at the end of the run.
        guard await !trial.stage.wait(for: send.isThrough, until: { $0 }), send.isAwaited else { return }
        trial.report.violation(
            "expected the element handler to come back while takeBack() runs on another thread, but it hangs: the "
                + "bridge hands back under a lock that its handler takes"
        )
    }

    /// An element that the source's thread sends when a call of the source waits for it.
    private struct AwaitedSend: Sendable {
        let isThrough = Watched(false)
        private let callIsRunning = Monitor(false)
        private let sendIsThrough = Monitor(false)
        private let thread: WorkerThread

        init(_ stage: Stage) {
            self.thread = stage.sourceThread
            stage.onRescue { [callIsRunning, sendIsThrough] in
                callIsRunning.open()
                sendIsThrough.open()
            }
        }

        /// Whether the call waits, or has waited.
        var isAwaited: Bool { self.callIsRunning.isOpen }

        /// The call: waits until the element is sent.
        func wait() {
            self.callIsRunning.open()
            self.sendIsThrough.pass()
        }

        /// Waits the first time: see the one for bridges that answer once.
        func waitOnce() { if !self.isAwaited { self.wait() } }

        func begin(_ element: Int, by source: SequenceSourceCore) {
            self.thread.perform {
                self.callIsRunning.pass()
                source.send([element])
                self.sendIsThrough.open()
                self.isThrough.update { $0 = true }
            }
        }
    }
}

extension SequencePromises {
    /// Whether nothing is dropped, whatever comes.
    fileprivate var keepsAll: Bool { !self.mayDrop && self.overflow != .fails }
}
