// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 4: no user code runs under a lock, the runtime's included.

extension SequenceLaws {
    static let locks: [Scenario<SequenceTrial>] = [
        Scenario("cancelled, cancel() waits for the thread that is sending", .noLocks) { trial in
            let send = Self.WaitingCancel(trial.stage)
            let consumer = trial.consume(.all, stops: .once) { source, _ in send.script(source) }
            await trial.suspended(consumer)
            send.begin(consumer.source)
            trial.stage.begin { consumer.cancel() }
            // If cancel() was not even called, the cause is not a lock.
            await trial.expect(.cancellation, of: consumer, hang: send.isCancelled ? .noLocks : .cancellation)
        },
        Scenario("left, cancel() waits for the thread that is sending", .noLocks) { trial in
            let send = Self.WaitingCancel(trial.stage)
            let consumer = trial.consume(.breaking(after: 1), stops: .once) { source, _ in send.script(source) }
            await trial.suspended(consumer)
            send.begin(consumer.source)
            trial.stage.begin { consumer.source.send([1]) }
            await trial.left(consumer, hang: send.isCancelled ? .noLocks : .neverLost)
        },
        Scenario(
            "takeBack() waits for the thread that is sending",
            .noLocks,
            advice: "take the element out under the lock, release the lock, then hand the element back",
            if: { $0.handsBackElements }
        ) { trial in
            let isTakingBack = Monitor(false)
            let sendIsThrough = Monitor(false)
            let isThrough = Watched(false)
            trial.stage.onRescue {
                isTakingBack.open()
                sendIsThrough.open()
            }
            let consumer = trial.consume(.breaking(after: 1), stops: .once) { source, _ in
                source.onTakeBack { element in
                    // Once: see the one for bridges that answer once.
                    guard element == 2, !isTakingBack.isOpen else { return }
                    isTakingBack.open()
                    sendIsThrough.pass()
                }
            }
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            await trial.left(consumer)
            trial.stage.sourceThread.perform {
                isTakingBack.pass()
                consumer.source.send([3])
                sendIsThrough.open()
                isThrough.update { $0 = true }
            }
            trial.stage.begin { consumer.source.send([2]) }
            // If the element was not handed back, that is reported at the end of the run.
            guard await !trial.stage.wait(for: isThrough, until: { $0 }), isTakingBack.isOpen else { return }
            trial.report.violation(
                "expected the element handler to come back while takeBack() runs on another thread, but it hangs: the "
                    + "bridge hands back under a lock that its handler takes"
            )
        },
    ]

    /// A source whose `cancel()` waits for its thread, which is just about to send an element.
    private struct WaitingCancel: Sendable {
        private let cancelIsRunning = Monitor(false)
        private let sendIsThrough = Monitor(false)
        private let thread: WorkerThread

        init(_ stage: Stage) {
            self.thread = stage.sourceThread
            stage.onRescue { [cancelIsRunning, sendIsThrough] in
                cancelIsRunning.open()
                sendIsThrough.open()
            }
        }

        var isCancelled: Bool { self.cancelIsRunning.isOpen }

        func script(_ source: SequenceSourceCore) {
            source.onCancel { _ in
                self.cancelIsRunning.open()
                self.sendIsThrough.pass()
            }
        }

        func begin(_ source: SequenceSourceCore) {
            self.thread.perform {
                self.cancelIsRunning.pass()
                source.send([2])
                self.sendIsThrough.open()
            }
        }
    }
}
