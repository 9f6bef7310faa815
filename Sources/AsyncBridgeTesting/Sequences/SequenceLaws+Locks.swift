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
            advice: Self.handBackUnlocked,
            if: { $0.handsBackElements }
        ) { trial in
            let handBack = Self.WaitingHandBack(of: 2, trial.stage)
            let consumer = trial.consume(.breaking(after: 1), stops: .once) { source, _ in handBack.script(source) }
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            await trial.left(consumer)
            handBack.begin(consumer.source)
            trial.stage.begin { consumer.source.send([2]) }
            await handBack.expectToEnd(trial)
        },
        // Found: a bridge that empties its buffer under its lock, and hands back there.
        Scenario(
            "left, takeBack() of what was kept waits for the thread that is sending",
            .noLocks,
            advice: Self.handBackUnlocked,
            if: { $0.handsBackElements && $0.keepsAll }
        ) { trial in
            let handBack = Self.WaitingHandBack(of: 3, trial.stage)
            let consumer = trial.consume(.breaking(after: 2), stops: .once, permits: 1) { source, _ in
                handBack.script(source)
            }
            await trial.suspended(consumer)
            await trial.deliver([1], to: consumer)
            await trial.stage.onSourceThread { consumer.source.send([2, 3]) }
            handBack.begin(consumer.source)
            consumer.state.update { $0.permits = .max }
            await handBack.expectToEnd(trial)
            trial.stage.rescue()
            await trial.left(consumer)
        },
        Scenario(
            "start waits for the thread that is sending",
            .noLocks,
            advice: "start the source without a lock: its handler may run on another thread before start has returned"
        ) { trial in
            let isStarting = Monitor(false)
            let isThrough = Watched(false)
            let hasWaited = Watched<Bool?>(nil)
            trial.stage.onRescue { isStarting.open() }
            let consumer = trial.consume(.all, stops: .afterEnd) { source, _ in
                source.onStart { [stage = trial.stage] _ in
                    guard hasWaited.value == nil else { return }
                    isStarting.open()
                    let isReturned = (1...8).contains { _ in stage.block { isThrough.value } }
                    hasWaited.update { $0 = isReturned }
                }
            }
            trial.stage.begin {
                isStarting.pass()
                // Its handlers are known when start is called.
                consumer.source.send([1])
                isThrough.update { $0 = true }
            }
            // If it is not started, another scenario says so.
            guard await trial.stage.wait(for: consumer.source.record, until: { $0.starts > 0 }) else { return }
            await hasWaited.waitUncancelled { $0 != nil }
            if hasWaited.value == false {
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
            advice: "take the handle out under the lock, release the lock, and only then let go of the handle"
        ) { trial in
            let isReleasing = Monitor(false)
            let isThrough = Watched(false)
            let hasWaited = Watched<Bool?>(nil)
            trial.stage.onRescue { isReleasing.open() }
            let consumer = trial.consume(.all, stops: .afterEnd)
            await trial.suspended(consumer)
            consumer.source.onRelease { [stage = trial.stage] in
                isReleasing.open()
                // As long as in the scenario of the one-shots.
                let isReturned = (1...8).contains { _ in stage.block { isThrough.value } }
                hasWaited.update { if $0 == nil { $0 = isReturned } }
            }
            trial.stage.begin {
                isReleasing.pass()
                consumer.source.send([2])
                isThrough.update { $0 = true }
            }
            await trial.stage.onSourceThread { consumer.source.complete() }
            await trial.left(consumer)
            // The handler may be what keeps the handle.
            await trial.stage.onSourceThread { consumer.source.forget() }
            guard await trial.stage.wait(for: hasWaited, until: { $0 != nil }), hasWaited.value == false else { return }
            trial.report.violation(
                "expected the element handler to come back while the source's handle is released on another thread, "
                    + "but it hangs: the bridge lets go of the handle under a lock that its handler takes"
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
    private static let handBackUnlocked =
        "take the element out under the lock, release the lock, then hand the element back"

    /// A source whose `takeBack(_:)` waits for its thread, which is just about to send an element.
    private struct WaitingHandBack: Sendable {
        private let element: Int
        private let thread: WorkerThread
        private let isTakingBack = Monitor(false)
        private let sendIsThrough = Monitor(false)
        private let isThrough = Watched(false)

        init(of element: Int, _ stage: Stage) {
            self.element = element
            self.thread = stage.sourceThread
            stage.onRescue { [isTakingBack, sendIsThrough] in
                isTakingBack.open()
                sendIsThrough.open()
            }
        }

        func script(_ source: SequenceSourceCore) {
            source.onTakeBack { element in
                // Once: see the one for bridges that answer once.
                guard element == self.element, !self.isTakingBack.isOpen else { return }
                self.isTakingBack.open()
                self.sendIsThrough.pass()
            }
        }

        func begin(_ source: SequenceSourceCore) {
            self.thread.perform {
                self.isTakingBack.pass()
                source.send([self.element + 1])
                self.sendIsThrough.open()
                self.isThrough.update { $0 = true }
            }
        }

        func expectToEnd(_ trial: SequenceTrial) async {
            // If the element was not handed back, that is reported at the end of the run.
            guard await !trial.stage.wait(for: self.isThrough, until: { $0 }), self.isTakingBack.isOpen else { return }
            trial.report.violation(
                "expected the element handler to come back while takeBack() runs on another thread, but it hangs: the "
                    + "bridge hands back under a lock that its handler takes"
            )
        }
    }
}

extension SequencePromises {
    /// Whether nothing is dropped, whatever comes.
    fileprivate var keepsAll: Bool { !self.mayDrop && self.overflow != .fails }
}
