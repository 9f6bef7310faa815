// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What the pumps do.
extension SharedSequenceStateMachine {
    /// The pump of a run was made.
    ///
    /// - Parameters:
    ///   - pump: The pump.
    ///   - number: The run.
    /// - Returns: Whether the run goes on. If not, cancel the pump.
    package mutating func started(_ pump: Pump, run number: UInt64) -> Bool {
        switch exchange(&self.state, with: .idle) {
        case .used(var run):
            let isCurrent = run.number == number
            if isCurrent { run.pump = pump }
            self.state = .used(run)
            return isCurrent
        // Race: the only consumer left before the pump was noted, or the source has ended.
        case .idle:
            return false
        case .stopping:
            self.state = .stopping
            return false
        case .ended(let result):
            self.state = .ended(result)
            return false
        }
    }

    /// What the pump that calls ``begin(run:)`` does.
    package enum BeginAction: Equatable {
        /// Iterate the source, and call ``pumpEnded(run:_:)`` when it is stopped.
        case iterate
        /// Park, and ask again.
        case park
        /// End: the run is over.
        case end
    }

    /// The pump of a run wants to iterate the source.
    ///
    /// - Parameter number: The run.
    /// - Returns: What to do.
    package mutating func begin(run number: UInt64) -> BeginAction {
        switch exchange(&self.state, with: .idle) {
        case .used(var run):
            guard run.number == number else {
                self.state = .used(run)
                return .end
            }
            switch run.source {
            case .free:
                run.source = .iterated
                self.state = .used(run)
                return .iterate
            case .stopping:
                self.state = .used(run)
                return .park
            case .iterated:
                preconditionFailure("BUG: a pump of a shared sequence begins twice")
            }
        case .idle:
            return .end
        case .stopping:
            self.state = .stopping
            return .end
        case .ended(let result):
            self.state = .ended(result)
            return .end
        }
    }

    /// What the pump that calls ``consumers(run:)`` does.
    package enum DeliverAction {
        /// Give its element to these; they are not empty.
        case deliver([Sink])
        /// Park, and ask again: there is no consumer.
        case park
        /// Drop the element, and stop the source: the run is over.
        case end
    }

    /// The pump of a run has an element.
    ///
    /// - Parameter number: The run.
    /// - Returns: What to do.
    package func consumers(run number: UInt64) -> DeliverAction {
        switch self.state {
        case .used(let run):
            guard run.number == number else { return .end }
            return run.consumers.isEmpty ? .park : .deliver(run.consumers.sinks)
        case .idle: return .end
        case .stopping: return .end
        case .ended: return .end
        }
    }

    /// The pump of a run parks, as it was told to.
    ///
    /// - Parameters:
    ///   - waiter: Resumes the pump.
    ///   - number: The run.
    /// - Returns: Whether it is parked. If not, what it waits for has come meanwhile: resume it.
    package mutating func park(_ waiter: Waiter, run number: UInt64) -> Bool {
        switch exchange(&self.state, with: .idle) {
        case .used(var run):
            guard run.number == number else {
                self.state = .used(run)
                return false
            }
            let isParked =
                switch run.source {
                case .free: false
                case .iterated: run.consumers.isEmpty
                case .stopping: true
                }
            if isParked { run.waiter = waiter }
            self.state = .used(run)
            return isParked
        case .idle:
            return false
        case .stopping:
            self.state = .stopping
            return false
        case .ended(let result):
            self.state = .ended(result)
            return false
        }
    }

    /// What the caller of ``pumpEnded(run:_:)`` does.
    package enum EndAction {
        /// Finish the consumers, in the order in which they came.
        case finish([Sink])
        /// Resume the next run's pump, if it was parked.
        case wake(Waiter?)
    }

    /// A pump has stopped the source.
    ///
    /// - Parameters:
    ///   - number: Its run.
    ///   - result: How the source ended; of a run that is over it counts for nothing, since its pump was cancelled.
    /// - Returns: What to do.
    package mutating func pumpEnded(run number: UInt64, _ result: Result<Void, Failure>) -> EndAction {
        switch exchange(&self.state, with: .idle) {
        case .used(var run):
            switch run.source {
            case .iterated:
                precondition(run.number == number, "BUG: two pumps iterate the source of a shared sequence")
                self.state = .ended(result)
                return .finish(run.consumers.inOrder)
            case .stopping:
                run.source = .free
                let waiter = run.waiter.take()
                self.state = .used(run)
                return .wake(waiter)
            case .free:
                preconditionFailure("BUG: a pump of a shared sequence ends twice")
            }
        case .stopping:
            self.state = .idle
            return .wake(nil)
        case .idle:
            preconditionFailure("BUG: a pump of a shared sequence ends that has not begun")
        case .ended:
            preconditionFailure("BUG: a source of a shared sequence ends twice")
        }
    }
}
