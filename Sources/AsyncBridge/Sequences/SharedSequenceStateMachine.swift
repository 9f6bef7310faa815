// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The consumers of a shared sequence, and who iterates its source: every decision, and nothing else.
///
/// | State             | Holds                | The source                      | Next                                |
/// |-------------------|----------------------|---------------------------------|-------------------------------------|
/// | `idle`            | nothing              | is not iterated                 | `used, free`                        |
/// | `used, free`      | a run                | is not iterated yet             | `used, iterated`; `idle`            |
/// | `used, iterated`  | a run                | is iterated by the run's pump   | `stopping`; `ended`                 |
/// | `stopping`        | nothing              | an earlier run's pump stops it  | `used, stopping`; `idle`            |
/// | `used, stopping`  | a run                | an earlier run's pump stops it  | `used, free`; `stopping`            |
/// | `ended`           | how the source ended | is never iterated again         | none                                |
///
/// A run begins with its first consumer, and is over when its last one leaves; but a source that is kept goes on until
/// the shared sequence is released as well. Each run has a task of its own, its pump.
///
/// Invariant: one pump at a time iterates the source, from `begin` to `pumpEnded`. Otherwise the teardown of an earlier
/// run would stop the source of the next one.
///
/// Invariant: a pump is parked only in `used, stopping`, until it may begin, and in `used, iterated` without consumers,
/// until there is one. Its waiter leaves this machine once, inside an action.
package struct SharedSequenceStateMachine<Sink, Pump, Waiter, Failure: Error>: ~Copyable {
    package enum Source {
        case free
        case iterated
        case stopping
    }

    package struct Run {
        package let number: UInt64
        package internal(set) var source: Source
        package internal(set) var consumers = SharedConsumers<Sink>()
        /// From a moment after the run's beginning.
        package internal(set) var pump: Pump?
        package internal(set) var waiter: Waiter?

        init(number: UInt64, source: Source) {
            self.number = number
            self.source = source
        }
    }

    package enum State: ~Copyable {
        case idle
        case stopping
        case used(Run)
        case ended(Result<Void, Failure>)
    }

    // Each event takes it, leaving `idle`, and puts the next one here.
    package internal(set) var state = State.idle
    /// ``UnusedSourcePolicy/stop`` once the shared sequence is released: then no more consumers can come.
    package private(set) var unused: UnusedSourcePolicy
    private var lastNumber: UInt64 = 0

    package init(unused: UnusedSourcePolicy) { self.unused = unused }

    /// What the coming and leaving of this run's consumers has cost, for the tests: ``SharedConsumers/steps``.
    package var steps: Int {
        switch self.state {
        case .used(let run): run.consumers.steps
        case .idle: 0
        case .stopping: 0
        case .ended: 0
        }
    }

    private mutating func makeNumber() -> UInt64 {
        self.lastNumber += 1
        return self.lastNumber
    }

    // MARK: Consumers

    /// What the caller of ``join(_:)`` does.
    package enum JoinAction {
        /// Resume the pump if it was parked: there is a consumer for its element.
        case joins(consumer: UInt64, wakes: Waiter?)
        /// Start a pump.
        case starts(consumer: UInt64, run: UInt64)
        /// Finish the consumer.
        case ends(Result<Void, Failure>)
    }

    /// A consumer comes.
    ///
    /// - Parameter sink: Its sink.
    /// - Returns: What to do.
    package mutating func join(_ sink: Sink) -> JoinAction {
        let consumer = self.makeNumber()
        switch exchange(&self.state, with: .idle) {
        case .idle: return self.startRun(sink, consumer, .free)
        case .stopping: return self.startRun(sink, consumer, .stopping)
        case .used(var run):
            run.consumers.add(sink, as: consumer)
            var woken: Waiter?
            switch run.source {
            case .iterated: woken = run.waiter.take()
            // It waits for the source.
            case .free, .stopping: break
            }
            self.state = .used(run)
            return .joins(consumer: consumer, wakes: woken)
        case .ended(let result):
            self.state = .ended(result)
            return .ends(result)
        }
    }

    private mutating func startRun(_ sink: Sink, _ consumer: UInt64, _ source: Source) -> JoinAction {
        var run = Run(number: self.makeNumber(), source: source)
        run.consumers.add(sink, as: consumer)
        self.state = .used(run)
        return .starts(consumer: consumer, run: run.number)
    }

    /// What the caller of ``leave(_:)`` and ``release()`` does.
    package enum LeaveAction {
        /// The run goes on, if there is one. Release the sink, outside the lock.
        case goOn(Sink?)
        /// The run is over. Release the sink, cancel the pump, and resume it if it was parked.
        case stop(Sink?, Pump?, Waiter?)
    }

    /// A consumer has its end, or wants no more.
    ///
    /// - Parameter consumer: Its number.
    /// - Returns: What to do.
    package mutating func leave(_ consumer: UInt64) -> LeaveAction {
        switch exchange(&self.state, with: .idle) {
        case .idle:
            return .goOn(nil)
        case .stopping:
            self.state = .stopping
            return .goOn(nil)
        case .used(var run):
            let sink = run.consumers.remove(consumer)
            return self.goOn(run, releasing: sink)
        case .ended(let result):
            self.state = .ended(result)
            return .goOn(nil)
        }
    }

    /// The shared sequence was released: no more consumers will come.
    ///
    /// - Returns: What to do.
    package mutating func release() -> LeaveAction {
        self.unused = .stop
        switch exchange(&self.state, with: .idle) {
        case .idle:
            return .goOn(nil)
        case .stopping:
            self.state = .stopping
            return .goOn(nil)
        case .used(let run):
            return self.goOn(run, releasing: nil)
        case .ended(let result):
            self.state = .ended(result)
            return .goOn(nil)
        }
    }

    private mutating func goOn(_ run: consuming Run, releasing sink: Sink?) -> LeaveAction {
        let isOver =
            switch self.unused {
            case .stop: run.consumers.isEmpty
            case .keep: false
            }
        guard isOver else {
            self.state = .used(run)
            return .goOn(sink)
        }
        switch run.source {
        case .free: self.state = .idle
        case .iterated, .stopping: self.state = .stopping
        }
        return .stop(sink, run.pump, run.waiter)
    }
}
