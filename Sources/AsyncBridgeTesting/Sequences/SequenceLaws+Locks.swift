// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Law 4: nothing of the user's runs under a lock, the runtime's included.

extension SequenceLaws {
    static let locks: [Scenario<SequenceTrial>] = [
        Scenario("cancelled, cancel() waits for the thread that is sending", .noLocks) { trial in
            let send = Self.WaitingCancel(trial.stage)
            let consumer = trial.consume(.all, stops: .once) { source, _ in send.script(source) }
            await trial.suspended(consumer)
            send.begin(consumer.source)
            trial.stage.begin { consumer.cancel() }
            // If cancel() was not even called, it is no lock that is in the way.
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
