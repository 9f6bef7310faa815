// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// One run of one scenario: the bridge, the threads, the consumers, and what was seen of them.
final class SequenceTrial: LawTrial {
    /// How often the source must have been stopped at the end.
    enum Stops: Sendable {
        case once
        /// The source ended by itself.
        case afterEnd
        /// As often as it was started.
        case ifStarted
        /// At most once.
        case unknown
        /// The source ended by itself, or its start threw: then there is nothing to stop.
        case afterEndUnlessRefused
    }

    struct Expected: Sendable {
        let consumer: SequenceConsumer
        var stops = Stops.afterEnd
        /// How often the source may be started: once for each iteration.
        var iterations = 1
    }

    typealias Promises = SequencePromises

    let promises: SequencePromises
    let traits: SequenceTraits
    let stage: Stage

    var report: TrialReport { self.stage.report }

    private let bridge: SequenceConsumer.Bridge
    let expected = Mutex<[Expected]>([])
    /// The consumers whose cancellation hangs.
    ///
    /// What else they do is a consequence.
    private let stuck = Mutex<[ObjectIdentifier]>([])

    init(
        _ bridge: @escaping SequenceConsumer.Bridge,
        _ promises: SequencePromises,
        _ traits: SequenceTraits,
        _ vainWaits: VainWaits,
        _ report: TrialReport
    ) {
        self.bridge = bridge
        self.promises = promises
        self.traits = traits
        self.stage = Stage(report, patience: promises.patience, vainWaits)
    }

    // MARK: Acting

    /// Consumes the sequence.
    ///
    /// - Parameters:
    ///   - plan: How.
    ///   - stops: How often the source must have been stopped at the end.
    ///   - iterations: How often the source may be started.
    ///   - permits: How many elements may be consumed at first.
    ///   - isCancelled: Whether the task is cancelled before it runs.
    ///   - script: Says what the source does.
    /// - Returns: The consumer, which runs in its own task.
    func consume(
        _ plan: SequenceConsumer.Plan,
        stops: Stops,
        iterations: Int = 1,
        permits: Int = .max,
        isCancelled: Bool = false,
        _ script: (_ source: SequenceSourceCore, _ consumer: SequenceConsumer) -> Void = { _, _ in }
    ) -> SequenceConsumer {
        let consumer = SequenceConsumer(plan, self.stage.lifetimes)
        consumer.state.update { $0.permits = permits }
        self.expected.withLock { $0.append(Expected(consumer: consumer, stops: stops, iterations: iterations)) }
        script(consumer.source, consumer)
        consumer.begin(self.bridge, on: self.stage.thread, isCancelled: isCancelled)
        return consumer
    }

    /// Cancels the task of a consumer, and reports it if that hangs.
    func cancel(_ consumer: SequenceConsumer) async {
        let returned = await self.stage.cancel({ consumer.cancel() }) { consumer.source.progress.hangsInsideCancel }
        if !returned { self.stuck.withLock { $0.append(ObjectIdentifier(consumer)) } }
    }

    // MARK: Waiting

    /// Waits until the source is started and the consumer waits for an element.
    func suspended(_ consumer: SequenceConsumer) async {
        let started = await self.stage.wait(for: consumer.source.record) { $0.starts > 0 }
        if !started {
            await self.stage.reportHang(of: .neverLost, "expected the source to be started, but it was not") {
                self.place(of: consumer)
            }
        }
        await self.stage.suspended { self.place(of: consumer) }
    }

    /// Waits until so many elements have arrived.
    func arrived(_ count: Int, at consumer: SequenceConsumer) async {
        let arrived = await self.stage.wait(for: consumer.state) { $0.elements.count >= count }
        guard !arrived else { return }
        let seen = consumer.state.value.elements.count
        await self.stage.reportHang(of: .neverLost, "expected \(count) elements to arrive, saw \(seen)") {
            self.place(of: consumer)
        }
    }

    /// Sends elements one by one, each when the last has arrived: so a buffer of one element drops none.
    func deliver(_ elements: some Sequence<Int>, to consumer: SequenceConsumer) async {
        for element in elements {
            let before = consumer.state.value.elements.count
            await self.stage.onSourceThread { consumer.source.send([element]) }
            await self.arrived(before + 1, at: consumer)
            // A buffer without room keeps only what is waited for.
            if self.promises.mayDrop { await self.stage.suspended { self.place(of: consumer) } }
        }
    }

    /// Sends many elements in parts.
    ///
    /// There is patience for each part: a bridge that is slow when it keeps thousands does not block.
    func send(_ elements: ClosedRange<Int>, to consumer: SequenceConsumer) async {
        for part in elements.parts where self.report.violations.isEmpty {
            await self.stage.onSourceThread { consumer.source.send(part) }
        }
    }

    /// Sends rising elements one by one until the consumer has left.
    func feed(_ consumer: SequenceConsumer, from first: Int) async {
        var next = first
        while true {
            let state = consumer.state.value
            guard !state.hasLeft else { return }
            // A buffer without room keeps only what is waited for.
            if self.promises.mayDrop { await self.stage.suspended { self.place(of: consumer) } }
            await self.stage.onSourceThread { [next] in consumer.source.send([next]) }
            next += 1
            let goesOn = await self.stage.wait(for: consumer.state) {
                $0.hasLeft || $0.elements.count > state.elements.count
            }
            guard goesOn else { return }
        }
    }

    /// Where the bridge is if it blocks the thread on which its sequences are used.
    func place(of consumer: SequenceConsumer) -> String? {
        let others = self.expected.withLock { $0 }.map(\.consumer).filter { $0 !== consumer && $0.place != nil }
        return consumer.place ?? (others.isEmpty ? nil : "at another consumer")
    }

    // MARK: Expecting

    /// Waits until the iteration is over and compares its end.
    func expect(
        _ expected: ExpectedEnd,
        of consumer: SequenceConsumer,
        hang law: @autoclosure () -> Law = .neverLost
    ) async {
        await self.left(
            consumer,
            hang: law(),
            consumer.state.value.ends.isEmpty
                ? "expected \(expected.description), but the iteration did not end"
                : "expected nil from next() after the end, but the call did not return"
        )
        guard let end = consumer.state.value.ends.first, !expected.isMet(by: end) else { return }
        if case .fails = self.promises.overflow, case .failed = end { return }
        let misfit = expected.misfit(end)
        self.report.violation(
            of: misfit?.law,
            "expected \(expected.description), saw \(end)",
            advice: misfit?.advice
        )
    }

    /// Waits until the consumer has dropped sequence and iterator.
    func left(
        _ consumer: SequenceConsumer,
        hang law: @autoclosure () -> Law = .neverLost,
        _ explanation: @autoclosure () -> String = "expected the iteration to be left, but it was not"
    ) async {
        if self.stuck.withLock({ $0.contains(ObjectIdentifier(consumer)) }) { return }
        // As long as elements come there is patience: the consumer takes no more than were sent.
        while true {
            let before = consumer.state.value.count
            let goesOn = await self.stage.wait(for: consumer.state) { $0.hasLeft || $0.count >= before + 200 }
            let state = consumer.state.value
            if state.hasLeft { return }
            if !goesOn, state.count == before { break }
        }
        await self.stage.reportHang(of: law(), explanation()) { self.place(of: consumer) }
    }

    /// Compares the elements that arrived, after the end, with those that were sent.
    func expect(elements sent: some Collection<Int>, at consumer: SequenceConsumer) {
        let seen = consumer.state.value.elements
        let sent = Array(sent)
        if seen == sent { return }
        let known = Set(sent).union(consumer.source.record.value.sent)
        if let stranger = seen.first(where: { !known.contains($0) }) {
            return self.report.violation(
                of: .errors,
                "expected elements of the source, saw \(stranger)",
                advice: "pass the elements on as they are, and make up none"
            )
        }
        if let pair = zip(seen, seen.dropFirst()).first(where: { $0 >= $1 }) {
            return self.report.violation(of: .order, "expected rising elements, saw \(pair.1) after \(pair.0)")
        }
        let missing = sent.count - seen.count
        switch self.promises.overflow {
        case .countsDrops where consumer.source.record.value.dropped == missing,
            .dropsOldest where consumer.source.record.value.dropped == missing,
            .dropsNewest where consumer.source.record.value.dropped == missing:
            break
        case .fails where seen == Array(sent.prefix(seen.count)): break
        case .countsDrops, .dropsOldest, .dropsNewest, .keeps, .fails, .pauses:
            let dropped = consumer.source.record.value.dropped
            let law: Law = missing < 0 ? .once : .backPressure
            let keepsAll = missing > 0 && !self.promises.mayDrop && self.promises.overflow != .fails
            self.report.violation(
                of: law,
                "expected \(sent.count) elements, saw \(seen.count), and \(dropped) were said to be dropped",
                advice: keepsAll
                    ? "keep each element until it is consumed, also one that comes inside start, and the end behind it"
                    : nil
            )
        }
    }
}
