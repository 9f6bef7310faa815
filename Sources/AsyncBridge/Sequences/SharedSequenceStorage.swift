// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The consumers of a shared sequence, and the tasks that feed them, one after the other.
///
/// ``SharedSequenceStateMachine`` decides, under the lock; what it decides is done after it.
final class SharedSequenceStorage<Base: AsyncSequence & Sendable>: Sendable where Base.Element: Sendable {
    typealias Branch = CallbackSequence<Base.Element, Base.Failure>
    typealias Machine = SharedSequenceStateMachine<Branch.Sink, Task<Void, Never>, ParkedContinuation, Base.Failure>

    private let machine: Mutex<Machine>
    private let base: Base
    private let buffering: BufferingPolicy
    private let made: CallSite

    init(base: Base, buffering: BufferingPolicy, unused: UnusedSourcePolicy, made: CallSite) {
        self.machine = Mutex(Machine(unused: unused))
        self.base = base
        self.buffering = buffering
        self.made = made
    }

    // MARK: Consumers

    var steps: Int { self.machine.withLock { $0.steps } }

    func subscribe() -> Branch.AsyncIterator {
        let (sequence, sink) = Branch.makeSequence(
            buffering: self.buffering,
            fileID: self.made.fileIDLiteral,
            line: self.made.line
        )
        switch self.machine.withLock({ $0.join(sink) }) {
        case .joins(let consumer, let pump):
            sink.onTermination { [weak self] _ in self?.unsubscribe(consumer) }
            pump?.resume()
        case .starts(let consumer, let run):
            sink.onTermination { [weak self] _ in self?.unsubscribe(consumer) }
            self.start(run)
        case .ends(let result):
            sink.finish(with: result)
        }
        return sequence.makeAsyncIterator()
    }

    private func unsubscribe(_ consumer: UInt64) { self.obey(self.machine.withLock { $0.leave(consumer) }) }

    /// The shared sequence was released: no new consumer will come.
    func ownerGone() { self.obey(self.machine.withLock { $0.release() }) }

    private func obey(_ action: Machine.LeaveAction) {
        switch action {
        // A sink is released here, outside the lock: its end runs code.
        case .goOn(let sink):
            releaseHere(sink)
        case .stop(let sink, let pump, let parked):
            pump?.cancel()
            parked?.resume()
            releaseHere(sink)
        }
    }

    // MARK: The pump

    private func start(_ run: UInt64) {
        let pump = Task { await self.pump(run) }
        if !self.machine.withLock({ $0.started(pump, run: run) }) { pump.cancel() }
    }

    private func pump(_ run: UInt64) async {
        guard await self.begins(run) else { return }
        let result = await self.iterate(for: run)
        // The iterator was released, and its source stopped.
        switch self.machine.withLock({ $0.pumpEnded(run: run, result) }) {
        case .finish(let sinks): for sink in sinks { sink.finish(with: result) }
        case .wake(let pump): pump?.resume()
        }
    }

    /// Waits until no other pump iterates the source.
    ///
    /// - Returns: Whether the source is this run's now; false when the run is over.
    private func begins(_ run: UInt64) async -> Bool {
        while true {
            switch self.machine.withLock({ $0.begin(run: run) }) {
            case .iterate: return true
            case .park: await self.park(run)
            case .end: return false
            }
        }
    }

    /// Delivers all elements of the source.
    ///
    /// - Returns: How the source ended; when the run is over, it counts for nothing.
    private func iterate(for run: UInt64) async -> Result<Void, Base.Failure> {
        do throws(Base.Failure) {
            var iterator = self.base.makeAsyncIterator()
            while let element = try await iterator.next(isolation: nil) {
                // A source may ignore that its task was cancelled.
                guard let sinks = await self.sinks(of: run) else { return .success(()) }
                for sink in sinks { await self.deliver(element, to: sink) }
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Where the elements of a run go; `nil` when the run is over.
    ///
    /// Waits for a consumer if there is none.
    private func sinks(of run: UInt64) async -> [Branch.Sink]? {
        while true {
            switch self.machine.withLock({ $0.consumers(run: run) }) {
            case .deliver(let sinks): return sinks
            case .park: await self.park(run)
            case .end: return nil
            }
        }
    }

    /// Suspends the pump of a run until there is what it waits for, or the run is over.
    private func park(_ run: UInt64) async {
        // Safe: kept for the one event that takes it out of the machine, or resumed here.
        await unsafe withUnsafeContinuation { continuation in
            let waiter = unsafe ParkedContinuation(continuation)
            if !self.machine.withLock({ $0.park(waiter, run: run) }) { waiter.resume() }
        }
    }

    private func deliver(_ element: Base.Element, to sink: Branch.Sink) async {
        switch self.buffering {
        case .bounded, .watermark:
            // Cancelled: the last consumer has left, and no one gets the element.
            _ = try? await sink.send(element)
        case .unbounded, .newest, .oldest, .failing:
            sink.yield(element)
        }
    }
}
