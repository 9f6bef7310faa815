// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The consumers of a shared sequence, and the one task that feeds them.
final class SharedSequenceStorage<Base: AsyncSequence & Sendable>: Sendable where Base.Element: Sendable {
    typealias Branch = CallbackSequence<Base.Element, Base.Failure>

    /// | State     | Holds                                        | Next                                       |
    /// |-----------|----------------------------------------------|--------------------------------------------|
    /// | `idle`    | nothing; nobody consumes                     | `running`                                  |
    /// | `running` | the consumers' sinks and the number of a run | `idle`, `ended`                            |
    /// | `ended`   | how the source ended                         | none                                       |
    ///
    /// `running` becomes `idle` when the last consumer leaves; but a source that is kept goes on without consumers
    /// until the shared sequence is released as well. Its pump then waits, with one element, in `waiter`.
    ///
    /// Invariant: the source is iterated by one pump at a time. A new run may begin before the previous run's pump has
    /// stopped the source; its own pump then waits in `waiter` until it has. Otherwise the old teardown would stop the
    /// new run's source.
    private enum State {
        case idle
        case running(Run)
        case ended(Result<Void, Base.Failure>)
    }

    private struct Run {
        let number: UInt64
        var sinks: [UInt64: Branch.Sink]
        var pump: Task<Void, Never>?
        /// The pump, when it has an element for which there is no consumer, or waits for the source.
        var waiter: ParkedContinuation?
    }

    private struct Guarded {
        var state = State.idle
        var nextID: UInt64 = 0
        /// Whether an iterator may still be asked for.
        var isOwned = true
        /// Whether a pump iterates the source, or stops it.
        var isSourceInUse = false

        var hasNoConsumer: Bool {
            if case .running(let run) = self.state { run.sinks.isEmpty } else { true }
        }

        mutating func makeID() -> UInt64 {
            self.nextID += 1
            return self.nextID
        }
    }

    private let guarded = Mutex(Guarded())
    private let base: Base
    private let buffering: BufferingPolicy
    private let unused: UnusedSourcePolicy
    private let made: CallSite

    init(base: Base, buffering: BufferingPolicy, unused: UnusedSourcePolicy, made: CallSite) {
        self.base = base
        self.buffering = buffering
        self.unused = unused
        self.made = made
    }

    // MARK: Consumers

    private enum Subscription {
        /// If the pump waits for a consumer, resume it.
        case joined(UInt64, ParkedContinuation?)
        case startsRun(UInt64, run: UInt64)
        case ended(Result<Void, Base.Failure>)
    }

    func subscribe() -> Branch.AsyncIterator {
        let (sequence, sink) = Branch.makeSequence(
            buffering: self.buffering,
            fileID: self.made.fileIDLiteral,
            line: self.made.line
        )
        let subscription = self.guarded.withLock { guarded -> Subscription in
            switch guarded.state {
            case .idle:
                let id = guarded.makeID()
                let run = guarded.makeID()
                guarded.state = .running(Run(number: run, sinks: [id: sink]))
                return .startsRun(id, run: run)
            case .running(var run):
                let id = guarded.makeID()
                run.sinks[id] = sink
                let waiter = run.waiter
                run.waiter = nil
                guarded.state = .running(run)
                return .joined(id, waiter)
            case .ended(let result):
                return .ended(result)
            }
        }
        switch subscription {
        case .joined(let id, let waiter):
            sink.onTermination { [weak self] _ in self?.unsubscribe(id) }
            waiter?.resume()
        case .startsRun(let id, let run):
            sink.onTermination { [weak self] _ in self?.unsubscribe(id) }
            self.start(run)
        case .ended(let result):
            sink.finish(with: result)
        }
        return sequence.makeAsyncIterator()
    }

    private func unsubscribe(_ id: UInt64) {
        // The removed sink is released outside the lock: its end runs code.
        let (sink, run) = self.guarded.withLock { guarded -> (Branch.Sink?, Run?) in
            guard case .running(var run) = guarded.state else { return (nil, nil) }
            let sink = run.sinks.removeValue(forKey: id)
            let isKept = self.unused == .keep && guarded.isOwned
            guard run.sinks.isEmpty, !isKept else {
                guarded.state = .running(run)
                return (sink, nil)
            }
            guarded.state = .idle
            return (sink, run)
        }
        self.stop(run)
        releaseHere(sink)
    }

    /// The shared sequence was released: no new consumer will come.
    func ownerGone() {
        let run = self.guarded.withLock { guarded -> Run? in
            guarded.isOwned = false
            guard case .running(let run) = guarded.state, run.sinks.isEmpty else { return nil }
            guarded.state = .idle
            return run
        }
        self.stop(run)
    }

    private func stop(_ run: Run?) {
        run?.pump?.cancel()
        run?.waiter?.resume()
    }

    // MARK: The pump

    private func start(_ number: UInt64) {
        let pump = Task { await self.pump(number) }
        let isStillRunning = self.guarded.withLock { guarded in
            guard case .running(var run) = guarded.state, run.number == number else { return false }
            run.pump = pump
            guarded.state = .running(run)
            return true
        }
        // Race: the only consumer left before the pump was noted.
        if !isStillRunning { pump.cancel() }
    }

    private func pump(_ number: UInt64) async {
        guard await self.acquireSource(for: number) else { return }
        let result = await self.iterate(for: number)
        // The iterator was released, and its source stopped.
        self.releaseSource()
        guard let result else { return }
        let sinks = self.guarded.withLock { guarded -> [Branch.Sink] in
            // A run without consumers ended because it was cancelled, which says nothing about the source.
            guard case .running(let run) = guarded.state, run.number == number else { return [] }
            guarded.state = .ended(result)
            return run.sinks.sorted { $0.key < $1.key }.map(\.value)
        }
        for sink in sinks { sink.finish(with: result) }
    }

    /// Delivers all elements of the source.
    ///
    /// - Returns: How the source ended; `nil` when the run is over.
    private func iterate(for number: UInt64) async -> Result<Void, Base.Failure>? {
        do throws(Base.Failure) {
            var iterator = self.base.makeAsyncIterator()
            while let element = try await iterator.next(isolation: nil) {
                // A source may ignore that its task was cancelled.
                guard let sinks = await self.sinks(of: number) else { return nil }
                for sink in sinks { await self.deliver(element, to: sink) }
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Waits until no other pump iterates the source.
    ///
    /// - Returns: Whether the source is this run's now; false when the run is over.
    private func acquireSource(for number: UInt64) async -> Bool {
        while true {
            let isInUse = self.guarded.withLock { guarded -> Bool? in
                guard case .running(let run) = guarded.state, run.number == number else { return nil }
                defer { guarded.isSourceInUse = true }
                return guarded.isSourceInUse
            }
            guard let isInUse else { return false }
            if !isInUse { return true }
            await self.park(number) { $0.isSourceInUse }
        }
    }

    private func releaseSource() {
        let waiter = self.guarded.withLock { guarded -> ParkedContinuation? in
            guarded.isSourceInUse = false
            guard case .running(var run) = guarded.state else { return nil }
            let waiter = run.waiter
            run.waiter = nil
            guarded.state = .running(run)
            return waiter
        }
        waiter?.resume()
    }

    /// Where the elements of a run go; `nil` when the run is over.
    ///
    /// Waits for a consumer if there is none.
    private func sinks(of number: UInt64) async -> [Branch.Sink]? {
        while true {
            let sinks = self.guarded.withLock { guarded -> [Branch.Sink]? in
                guard case .running(let run) = guarded.state, run.number == number else { return nil }
                return Array(run.sinks.values)
            }
            guard sinks?.isEmpty == true else { return sinks }
            await self.park(number) { $0.hasNoConsumer }
        }
    }

    /// Suspends the pump of a run while something holds, and the run is not over.
    private func park(_ number: UInt64, while isNeeded: @Sendable (borrowing Guarded) -> Bool) async {
        // Safe: kept for the one event that takes it out of the run, or resumed here.
        await unsafe withUnsafeContinuation { continuation in
            let waiter = unsafe ParkedContinuation(continuation)
            let isParked = self.guarded.withLock { guarded in
                guard case .running(var run) = guarded.state, run.number == number, isNeeded(guarded) else {
                    return false
                }
                run.waiter = waiter
                guarded.state = .running(run)
                return true
            }
            if !isParked { waiter.resume() }
        }
    }

    private func deliver(_ element: Base.Element, to sink: Branch.Sink) async {
        switch self.buffering {
        case .watermark:
            // Cancelled: the last consumer has left, and no one gets the element.
            _ = try? await sink.send(element)
        case .unbounded, .bounded:
            sink.yield(element)
        }
    }
}
