// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The life of one result that is delivered once to one waiter: every decision, and nothing else.
///
/// | State             | Holds                                         | Next                                         |
/// |-------------------|-----------------------------------------------|----------------------------------------------|
/// | `idle`            | nothing; the waiter has not parked            | `parked`, `claimed`, `wakeRequested`, an end |
/// | `parked`          | the waiter's continuation                     | `claimedParked`, `idle` (cancelled), an end  |
/// | `claimed`         | a result being written; the waiter runs       | `full`, `claimedParked`, `closed`            |
/// | `claimedParked`   | a result being written; the waiter has parked | `full`                                       |
/// | `wakeRequested`   | a cancellation that the waiter has not seen   | `idle`, `claimed`, an end                    |
/// | `full`            | the result                                    | none                                         |
/// | `closed`          | nothing; the waiter left without waiting      | `closedAnswered`                             |
/// | `cancelled`       | nothing; the wait was cancelled with its task | `cancelledAnswered`                          |
/// | `timedOut`        | nothing; the wait timed out                   | `timedOutAnswered`                           |
/// | `dropped`         | nothing; nothing can answer any more          | none                                         |
/// | three `…Answered` | nothing; the late answer has come as well     | none                                         |
///
/// The state is one machine word. Each event is a pure function from a state to the next one and to the caller's
/// action; ``OneShotWord`` applies it by compare and exchange. The tests apply all events in every order.
///
/// Invariant: among `full`, `closed`, `cancelled`, `timedOut` and `dropped` the first one reached is the last one.
/// Invariant: a continuation leaves this machine exactly once, with the action ``Action/resume``.
@usableFromInline
package enum OneShotState: UInt, CaseIterable, Sendable {
    // Do not: `idle` must stay 0 and all must stay below 16. ``OneShot`` keeps states and pointers in one word.
    case idle = 0
    case parked
    case claimed
    case claimedParked
    case wakeRequested
    case full
    case closed
    case closedAnswered
    case cancelled
    case cancelledAnswered
    case timedOut
    case timedOutAnswered
    case dropped
}

// MARK: - The deliverer's events

extension OneShotState {
    /// What the caller of ``claim()`` does next.
    @usableFromInline
    package enum Claim: Equatable, Sendable {
        /// Write the result, then ``publish()``.
        case write
        /// The wait ended before any answer: hand the result back without a report.
        case late
        /// There is an answer already: hand the result back and report the second one.
        case duplicate
    }

    /// A deliverer has a result.
    @usableFromInline
    package func claim() -> (next: OneShotState, action: Claim) {
        switch self {
        case .idle, .wakeRequested: (.claimed, .write)
        case .parked: (.claimedParked, .write)
        case .closed: (.closedAnswered, .late)
        case .cancelled: (.cancelledAnswered, .late)
        case .timedOut: (.timedOutAnswered, .late)
        case .claimed, .claimedParked, .full, .closedAnswered, .cancelledAnswered, .timedOutAnswered, .dropped:
            (self, .duplicate)
        }
    }

    /// What the caller of ``publish()`` does next.
    @usableFromInline
    package enum Publish: Equatable, Sendable {
        /// The waiter is running and will find the result.
        case keep
        /// Resume the waiter.
        case resume
        /// The waiter has left: take the result out again and hand it back.
        case takeBack
    }

    /// The result has been written by the deliverer that claimed the right to.
    @usableFromInline
    package func publish() -> (next: OneShotState, action: Publish) {
        switch self {
        case .claimed: (.full, .keep)
        case .claimedParked: (.full, .resume)
        // Race: while this deliverer wrote, the waiter left, and perhaps a second deliverer came and was late.
        case .closed, .closedAnswered: (.closedAnswered, .takeBack)
        case .idle, .parked, .wakeRequested, .full, .cancelled, .cancelledAnswered, .timedOut, .timedOutAnswered,
            .dropped:
            preconditionFailure("BUG: an unclaimed result was published in state \(self)")
        }
    }
}

// MARK: - Events that end the wait

extension OneShotState {
    /// A way to end a wait without a result.
    @usableFromInline
    package enum End: CaseIterable, Sendable {
        /// The waiting task was cancelled.
        case cancelled
        /// The wait timed out.
        case timedOut
        /// The last reference that could have answered was released.
        case dropped

        @inlinable var state: OneShotState {
            switch self {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .dropped: .dropped
            }
        }
    }

    /// What the caller of an event that ends or interrupts the wait does next.
    @usableFromInline
    package enum Action: Equatable, Sendable {
        /// Nothing.
        case none
        /// Resume the waiter.
        case resume
    }

    /// The wait is to end without a result.
    ///
    /// A result that is already being written wins.
    package func end(_ end: End) -> (next: OneShotState, action: Action) {
        switch self {
        case .idle, .wakeRequested: (end.state, .none)
        case .parked: (end.state, .resume)
        case .claimed, .claimedParked, .full, .closed, .closedAnswered, .cancelled, .cancelledAnswered, .timedOut,
            .timedOutAnswered, .dropped:
            (self, .none)
        }
    }

    /// The task was cancelled, but its wait goes on: the waiter is only to run its cancel actions.
    package func wakeForCancellation() -> (next: OneShotState, action: Action) {
        switch self {
        case .idle: (.wakeRequested, .none)
        // The waiter runs again and parks anew; it learns why it woke from the task.
        case .parked: (.idle, .resume)
        case .wakeRequested, .claimed, .claimedParked, .full, .closed, .closedAnswered, .cancelled, .cancelledAnswered,
            .timedOut, .timedOutAnswered, .dropped:
            (self, .none)
        }
    }
}

// MARK: - The waiter's events

extension OneShotState {
    /// What the waiter does after it has asked to park.
    @usableFromInline
    package enum Park: Equatable, Sendable {
        /// Stay suspended; another thread resumes the continuation.
        case suspend
        /// Go on at once: the state has changed.
        case goOn
    }

    /// The waiter has stored its continuation and wants to sleep.
    package func park() -> (next: OneShotState, action: Park) {
        switch self {
        case .idle: (.parked, .suspend)
        case .claimed: (.claimedParked, .suspend)
        case .wakeRequested: (.idle, .goOn)
        case .full, .cancelled, .cancelledAnswered, .timedOut, .timedOutAnswered, .dropped: (self, .goOn)
        case .parked, .claimedParked, .closed, .closedAnswered:
            preconditionFailure("BUG: a waiter parked in state \(self)")
        }
    }

    /// What the waiter does after it has said that it will not wait.
    @usableFromInline
    package enum Close: Equatable, Sendable {
        /// Nothing came, or it goes back to its deliverer.
        case leave
        /// Take the result out and dispose of it.
        case dispose
    }

    /// The waiter leaves without waiting: it could not start the work.
    @usableFromInline
    package func close() -> (next: OneShotState, action: Close) {
        switch self {
        // Race: a deliverer that is still writing finds `closed` in ``publish()`` and takes its result back.
        case .idle, .wakeRequested, .claimed: (.closed, .leave)
        case .full: (.full, .dispose)
        case .cancelled, .cancelledAnswered, .timedOut, .timedOutAnswered, .dropped: (self, .leave)
        case .parked, .claimedParked, .closed, .closedAnswered:
            preconditionFailure("BUG: a waiter left in state \(self)")
        }
    }
}
