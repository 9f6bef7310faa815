// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Synchronization

/// The lock around a sequence's machine, and the actions that follow from its decisions.
///
/// Safe: its properties are constants, locks and atomics.
@usableFromInline
package final class SequenceStorage<Element, Failure: Error>: CancellationListener, @unchecked Sendable {
    @usableFromInline package typealias Machine = SequenceStateMachine<Disconnected<Element>, Failure>

    @usableFromInline let machine: Mutex<Machine>

    let made: CallSite

    private let onUndelivered: (@Sendable (sending Element) -> Void)?

    /// The number of elements of its batch that the consumer has not delivered yet: written by the consumer, read on
    /// any thread.
    @usableFromInline let undeliveredCount = Atomic<Int>(0)

    private let senderIDs = Atomic<UInt64>(0)

    package init(policy: BufferingPolicy, made: CallSite, onUndelivered: (@Sendable (sending Element) -> Void)?) {
        policy.check(made)
        self.machine = Mutex(Machine(policy: policy))
        self.made = made
        self.onUndelivered = onUndelivered
    }

    // MARK: Actions

    /// Gives an element to `onUndelivered`, or releases it.
    @usableFromInline
    func dispose(of element: Disconnected<Element>) { self.onUndelivered?(element.take()) }

    @usableFromInline
    func finish(_ ending: Machine.Ending) {
        ending.consumer?.resume()
        for sender in ending.senders { sender.continuation.resume(with: .ended(sender.element)) }
        for teardown in ending.teardown { teardown(ending.reason) }
        for element in ending.undelivered { self.dispose(of: element) }
    }

    @usableFromInline
    func finish(_ wake: Machine.Wake) {
        for sender in wake.senders { sender.resume(with: .sent) }
        if let action = wake.demandAction { self.run(action) }
    }

    /// Runs an action of the source that the machine has counted as running.
    @usableFromInline
    func run(_ action: @Sendable () -> Void) {
        action()
        self.finish(self.machine.withLock { $0.actionEnded() })
    }

    /// Drops an element by policy.
    @usableFromInline
    func drop(_ element: Disconnected<Element>, isFirst: Bool) {
        if isFirst {
            self.reportDrop(
                "The consumer is slower than the source, and the buffer's policy is to drop: right where only some "
                    + "elements matter. Where all do, enlarge the buffer, or use .watermark with `await sink.send`. "
                    + "Reported once; `droppedCount` keeps counting."
            )
        }
        self.dispose(of: element)
    }

    private func reportDrop(_ advice: String) {
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .elementsDropped,
                bridge: "CallbackSequence",
                made: self.made,
                advice: advice
            )
        )
    }

    /// Drops an element that ended the sequence because its buffer was full.
    @usableFromInline
    func overflow(_ element: Disconnected<Element>, _ ending: Machine.Ending) {
        // Reported before the consumer runs again, so that code that gets the fault finds the report.
        self.reportDrop(
            "The consumer was too slow for the buffer, and its policy is to fail: this element was dropped, and the "
                + "sequence ends with an error after those in the buffer. Enlarge the buffer, or use .watermark with "
                + "`await sink.send`."
        )
        self.dispose(of: element)
        self.finish(ending)
    }

    // MARK: The source

    func end(_ end: Machine.End) { self.finish(self.machine.withLock { $0.end(end) }) }

    func sinkGone() {
        let ending = self.machine.withLock { machine -> Machine.Ending? in
            guard case .open = machine.phase else { return nil }
            return machine.end(.fault(.sinkDropped))
        }
        guard let ending else { return }
        // Reported before the consumer runs again, so that code that gets the fault finds the report.
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .droppedSink,
                bridge: "CallbackSequence",
                made: self.made,
                advice: "The sequence was ended. Keep the sink as long as the source lives, and call finish() or "
                    + "fail(_:) when it ends."
            )
        )
        self.finish(ending)
    }

    func install(_ teardown: @escaping Teardown) {
        if let reason = self.machine.withLock({ $0.install(teardown) }) { teardown(reason) }
    }

    func installDemand(_ action: @escaping @Sendable () -> Void) {
        switch self.machine.withLock({ $0.installDemand(action) }) {
        case .keep(replaced: let old): releaseHere(old)
        case .run: self.run(action)
        }
    }

    func installBackPressure(pause: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void) {
        // Weak: the machine keeps the switch, and the switch must not keep the machine.
        let flow = FlowSwitch(pause: pause, resume: resume) { [weak self] in
            self?.machine.withLock { $0.wantedFlow }
        }
        let update: @Sendable () -> Void = { flow.update() }
        switch self.machine.withLock({ $0.installDemand(update, pause: update) }) {
        case .keep(replaced: let old):
            releaseHere(old)
            // The buffer may be full already.
            if self.machine.withLock({ $0.beginAction() }) { self.run(update) }
        case .run:
            self.run(update)
        }
    }

    // MARK: The consumer

    /// Takes the next element, and the batch that the consumer may deliver without the lock.
    @_alwaysEmitIntoClient
    func take(batch: inout RingBuffer<Disconnected<Element>>) -> Machine.TakeAction {
        self.machine.withLock { machine in
            let action = machine.take()
            machine.takeBatch(into: &batch)
            self.undeliveredCount.store(machine.batchCount, ordering: .relaxed)
            return action
        }
    }

    /// The number of elements not delivered yet.
    var bufferedCount: Int {
        self.machine.withLock { $0.buffer.count + self.undeliveredCount.load(ordering: .relaxed) }
    }

    func consumerGone(returning batch: [Disconnected<Element>]) {
        self.undeliveredCount.store(0, ordering: .relaxed)
        self.finish(self.machine.withLock { $0.consumerGone(returning: batch) })
    }

    func sequenceGone() { self.finish(self.machine.withLock { $0.sequenceGone() }) }

    /// Suspends the consumer until an element or the end has come.
    ///
    /// - Returns: Whether this was the one consumer.
    @usableFromInline
    package nonisolated(nonsending) func park() async -> Bool {
        let entry = PendingWaits.enter("CallbackSequence", made: self.made)
        var isSecond = false
        await self.suspend { consumer in
            switch self.machine.withLock({ $0.park(consumer) }) {
            case .parked:
                // Race: a cancellation that came before the consumer had parked found nothing to wake.
                if CurrentTask.isCancelled { self.wakeConsumer() }
            case .goOn:
                consumer.resume()
            case .secondConsumer:
                isSecond = true
                consumer.resume()
            }
        }
        entry?.leave()
        return !isSecond
    }

    /// The consumer does the rest itself.
    override func taskWasCancelled() { self.wakeConsumer() }

    /// Wakes the parked consumer, which finds out why by itself.
    private func wakeConsumer() {
        self.machine.withLock { $0.wakeConsumer() }?.resume()
    }

    // MARK: Senders

    @_alwaysEmitIntoClient
    nonisolated(nonsending) func send(_ element: sending Element) async throws(CancellationError) -> Bool {
        let element = Disconnected(unchecked: element)
        if CurrentTask.isCancelled {
            self.dispose(of: element)
            throw CancellationError()
        }
        switch self.machine.withLock({ $0.send(element) }) {
        case .sent(let consumer):
            consumer?.resume()
            return true
        case .refuse(let element):
            self.dispose(of: element)
            return false
        case .wait(let element):
            switch await self.waitForRoom(element) {
            case .sent:
                return true
            case .ended(let element):
                self.dispose(of: element)
                return false
            case .cancelled(let element):
                self.dispose(of: element)
                throw CancellationError()
            }
        }
    }

    @usableFromInline
    package nonisolated(nonsending) func waitForRoom(
        _ element: Disconnected<Element>
    ) async -> SenderContinuation<Disconnected<Element>>.Outcome {
        let entry = PendingWaits.enter("CallbackSequence.Sink.send", made: self.made)
        defer { entry?.leave() }
        let id = self.senderIDs.wrappingAdd(1, ordering: .relaxed).newValue
        let wait = SenderWait<Disconnected<Element>> { self.cancelSender(id) }
        return await wait.outcome { sender in
            switch self.machine.withLock({ $0.park(element, id: id, sender) }) {
            case .parked:
                // Race: a cancellation that came before the sender was in the list found nothing.
                if CurrentTask.isCancelled { self.cancelSender(id) }
            case .sent(let consumer):
                consumer?.resume()
                sender.resume(with: .sent)
            case .refuse(let element):
                sender.resume(with: .ended(element))
            }
        }
    }

    private func cancelSender(_ id: UInt64) {
        guard let sender = self.machine.withLock({ $0.cancelSender(id: id) }) else { return }
        sender.continuation.resume(with: .cancelled(sender.element))
    }
}
