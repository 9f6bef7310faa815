// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The life of one waiter, which waits again and again: every decision, and nothing else.
///
/// One word, because three sides use it that share no lock: the waiter, the threads that could wake it, and its
/// cancellation. The first to change the word decides.
///
/// | Phase           | Meaning                                             | Next                                     |
/// |-----------------|-----------------------------------------------------|------------------------------------------|
/// | `running`       | it does not wait                                    | `open`                                   |
/// | `open`          | it is enlisted somewhere, and about to park         | `parked`, `claimed`, `woken`             |
/// | `parked`        | it has left its thread                              | `claimedParked`, `woken`                 |
/// | `claimed`       | a thread is about to wake it; it has not parked yet | `claimedParked`, `woken`                 |
/// | `claimedParked` | a thread is about to wake it                        | `woken`                                  |
/// | `woken`         | its wait is over                                    | `open`                                   |
///
/// Invariants: of all threads that try to claim or cancel one wait, one succeeds. The woken waiter sees what the
/// claimer wrote between its claim and its wake.
package struct ParkState: Equatable, Sendable {
    package enum Phase: UInt, CaseIterable, Sendable {
        case running
        case open
        case parked
        case claimed
        case claimedParked
        case woken
    }

    package var phase: Phase

    /// Whether it was cancelled: then no further wait begins.
    package var isCancelled: Bool

    /// Set in ``rawValue`` if it was cancelled.
    package static let cancelledBit: UInt = 8

    package init(_ phase: Phase, isCancelled: Bool = false) {
        self.phase = phase
        self.isCancelled = isCancelled
    }

    package init(rawValue: UInt) {
        guard let phase = Phase(rawValue: rawValue & (Self.cancelledBit - 1)) else {
            preconditionFailure("BUG: \(rawValue) is not a state of a wait")
        }
        self.init(phase, isCancelled: rawValue & Self.cancelledBit != 0)
    }

    package var rawValue: UInt { self.phase.rawValue | (self.isCancelled ? Self.cancelledBit : 0) }

    private func with(_ phase: Phase) -> ParkState { ParkState(phase, isCancelled: self.isCancelled) }
}

// MARK: - The waiter's events

extension ParkState {
    /// It wants to wait.
    ///
    /// - Returns: Whether it may: not if it was cancelled.
    package func begin() -> (next: ParkState, action: Bool) {
        switch self.phase {
        case .running, .woken: self.isCancelled ? (self, false) : (self.with(.open), true)
        case .open, .parked, .claimed, .claimedParked: preconditionFailure("BUG: two waits of one waiter, in \(self)")
        }
    }

    /// It has left its thread.
    ///
    /// - Returns: Whether to stay parked: a thread will wake it. Otherwise it goes on at once.
    package func park() -> (next: ParkState, action: Bool) {
        switch self.phase {
        case .open: (self.with(.parked), true)
        case .claimed: (self.with(.claimedParked), true)
        case .woken: (self, false)
        case .running, .parked, .claimedParked: preconditionFailure("BUG: a waiter parked in \(self)")
        }
    }
}

// MARK: - Other threads' events

extension ParkState {
    /// A thread asks for the right to wake it.
    ///
    /// - Returns: Whether it has it.
    package func claim() -> (next: ParkState, action: Bool) {
        switch self.phase {
        case .open: (self.with(.claimed), true)
        case .parked: (self.with(.claimedParked), true)
        case .running, .claimed, .claimedParked, .woken: (self, false)
        }
    }

    /// The claimer has done its work.
    ///
    /// - Returns: Whether to resume it on a thread.
    package func wake() -> (next: ParkState, action: Bool) {
        switch self.phase {
        case .claimed: (self.with(.woken), false)
        case .claimedParked: (self.with(.woken), true)
        case .running, .open, .parked, .woken: preconditionFailure("BUG: a waiter was woken unclaimed, in \(self)")
        }
    }

    /// It is cancelled, once and for all.
    ///
    /// - Returns: Whether to resume it on a thread.
    package func cancel() -> (next: ParkState, action: Bool) {
        switch self.phase {
        case .running, .woken, .claimed, .claimedParked: (ParkState(self.phase, isCancelled: true), false)
        case .open: (ParkState(.woken, isCancelled: true), false)
        case .parked: (ParkState(.woken, isCancelled: true), true)
        }
    }
}
