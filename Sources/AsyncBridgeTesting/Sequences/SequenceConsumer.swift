// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// One consumer of the sequence under test, in its own task, with its own source.
final class SequenceConsumer: Sendable {
    /// Makes the sequence and consumes it: `SequenceLaws` hides the sequence's type in it.
    typealias Bridge = nonisolated(nonsending) @Sendable (SequenceConsumer) async -> Void

    /// How the sequence is consumed.
    enum Plan: Sendable {
        /// In a loop, to the end.
        case all
        /// With an iterator, to the end and then twice more.
        case pastTheEnd
        /// In a loop that is left after so many elements. The task lives on.
        case breaking(after: Int)
        /// With an iterator that is dropped after so many elements. The task lives on.
        case dropping(after: Int)
        /// In a loop that is left after so many elements, and then in a second loop over the same sequence.
        case again(after: Int)
        /// In a loop, to the end, and then in a second loop over the same sequence.
        case againAfterEnd
        /// With two iterators of one sequence, which wait at the same time.
        case both
        /// The same, and the task of one of them can be cancelled.
        case bothCancelling(Which)
        /// With two iterators of one sequence, which begin at the same time, each on one of the two threads.
        case bothAtOnce([WorkerThread])
        /// In a loop, to the end; after the first element a second iterator is made, and released at once.
        case besideUnused
        /// Not at all: the sequence is dropped. The task lives on.
        case unused

        /// How many iterators are made.
        var iterators: Int {
            switch self {
            case .all, .pastTheEnd, .breaking, .dropping: 1
            case .again, .againAfterEnd, .both, .bothAtOnce, .bothCancelling, .besideUnused: 2
            case .unused: 0
            }
        }
    }

    /// One of two iterators, in the order in which they wait.
    enum Which: Sendable {
        case first
        case second
    }

    /// The end of an iteration.
    enum End: Sendable {
        case finished
        case failed(any Error)
    }

    /// Where the bridge is if it blocks its consumer's thread.
    enum Place: String, Sendable {
        case making = "while the sequence is made"
        case iterating = "in makeAsyncIterator() or next()"
        case leaving = "while the iterator or the sequence is released"
    }

    struct State: Sendable {
        var place: Place?
        var elements: [Int] = []
        /// What the second of two iterators got.
        var second: [Int] = []
        /// Whether one of two iterators is cancelled, and whether its iteration has ended.
        var cancelsOne = false
        var oneHasEnded = false
        /// Whether the first of two loops was left.
        var hasLeftFirst = false
        /// How many elements may be consumed.
        var permits = Int.max
        var ends: [End] = []
        /// Whether more elements came than were sent, so that there is no end to them.
        var isFlooded = false
        /// Whether iterator and sequence are gone.
        var hasLeft = false
        var mayEnd = false
        var isOver = false

        /// How many elements came, to both iterators if there are two.
        var count: Int { self.elements.count + self.second.count }
    }

    let source: SequenceSourceCore
    let plan: Plan
    let state = Watched(State())
    /// The number of elements that have arrived, for a thread that waits for it awake.
    let arrived = Atomic(0)
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ plan: Plan, _ lifetimes: LifetimeTracker) {
        self.plan = plan
        self.source = SequenceSourceCore(lifetimes)
    }

    func begin(_ bridge: @escaping Bridge, on thread: WorkerThread, isCancelled: Bool) {
        let gate = Monitor(false)
        // The task runs when the scenario has got hold of it, so that the source's script can cancel it.
        thread.perform { gate.pass() }
        let task = Task(executorPreference: thread.executor) {
            await TaskLocals.$mark.withValue(OneShotCall.mark) {
                await bridge(self)
                self.state.update { $0.hasLeft = true }
                // The task lives on, so that its end cannot be what stops the source. Cancelled, it may end.
                try? await self.state.wait { $0.mayEnd }
            }
            self.state.update { $0.isOver = true }
        }
        self.task.withLock { $0 = task }
        if isCancelled { task.cancel() }
        gate.open()
    }

    /// Where the bridge is if it blocks its consumer's thread; `nil` if it was not used.
    var place: String? {
        if self.source.progress.isInStart {
            return self.source.progress.isInHandler ? "in a handler, called inside start" : "inside start"
        }
        return self.state.value.place?.rawValue
    }

    func note(_ place: Place) { self.state.update { $0.place = place } }

    func cancel() { self.task.withLock { $0 }?.cancel() }

    /// Forgets what it has seen, and its task.
    func clear() {
        self.source.clear()
        self.state.update { $0.ends = [] }
        self.task.withLock { $0 = nil }
    }
}

extension SequenceConsumer.End: CustomStringConvertible {
    var description: String {
        switch self {
        case .finished: "the end"
        case .failed(let error): "\(Outcome.failure(error))"
        }
    }
}
