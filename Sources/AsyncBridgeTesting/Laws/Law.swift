// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// One of the ten laws that every bridge between asynchronous styles obeys.
@nonexhaustive
public enum Law: Int, CaseIterable, Sendable {
    /// The first terminal event wins, and later ones do no harm.
    case once = 1

    /// No result is lost and no wait hangs forever, even when the source forgets to answer.
    case neverLost = 2

    /// Cancellation works at any moment, and the cancel action runs exactly once.
    case cancellation = 3

    /// No user code runs under a lock, the runtime's included.
    case noLocks = 4

    /// Bodies run synchronously on the caller's actor; results arrive there; task-locals and priority are inherited.
    case isolation = 5

    /// Errors and values arrive as they were sent, and cancellation as `CancellationError`.
    case errors = 6

    /// Nothing is dropped silently, and a bridge survives over-delivery.
    case backPressure = 7

    /// The order of events is kept.
    case order = 8

    /// Whatever ends a bridge, the source is stopped exactly once and nothing is kept.
    case teardown = 9

    /// No thread blocks.
    case noBlocking = 10

    /// The number of the law, from 1 to 10.
    public var number: Int { self.rawValue }

    /// The law in a few words.
    public var name: String {
        switch self {
        case .once: "once"
        case .neverLost: "never lost"
        case .cancellation: "cancel, at any moment"
        case .noLocks: "no user code under a lock"
        case .isolation: "isolation is the caller's"
        case .errors: "results as they are"
        case .backPressure: "back-pressure is explicit"
        case .order: "order is kept"
        case .teardown: "teardown is once"
        case .noBlocking: "no thread blocks"
        }
    }
}

extension Law {
    /// What to do, or to look for, when a bridge breaks the law.
    public var advice: String {
        switch self {
        case .once:
            "let the first answer or end decide, in one step under one lock; ignore what comes later, or hand it back"
        case .neverLost:
            "resume the wait on every path: success, failure, an answer inside start, handlers that are dropped, a "
                + "second call at the same time"
        case .cancellation:
            "keep the handle and a flag behind one lock: whichever of 'started' and 'cancelled' comes second stops the "
                + "source, once, and ends the wait with CancellationError"
        case .noLocks:
            "take what you need out under the lock, release the lock, then call; and let the cancellation handler, "
                + "which runs under the runtime's lock, only wake the task, which then stops the source"
        case .isolation:
            "start the work in the caller's task and before the first suspension: nonisolated(nonsending), no Task {}; "
                + "and start it before withTaskCancellationHandler, not in its operation, which does not run on the "
                + "caller's actor in a nonisolated function"
        case .errors:
            "pass the source's error or value on as it is, and a cancellation as CancellationError"
        case .backPressure:
            "count what the buffer drops, hand it back where that is promised, and pause the source in time"
        case .order:
            "pass the events on in one place and in the order of the calls, without a task for each; and copy a ring "
                + "that grows from its first element on"
        case .teardown:
            "stop the source once, whatever ends the bridge, and release the handle, the handlers and the errors then"
        case .noBlocking:
            "suspend instead of blocking: no semaphore, no group and no sync in start, in a handler or on cancellation"
        }
    }
}

extension Law: CustomStringConvertible {
    /// The number and the name.
    public var description: String { "law \(self.number) (\(self.name))" }
}
