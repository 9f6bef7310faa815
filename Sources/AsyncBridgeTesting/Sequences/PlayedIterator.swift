// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// One iterator of a history, in a task of its own, which asks it as often as it is told to.
final class PlayedIterator: Sendable {
    enum Step: Sendable { case ask, wait, leave }

    struct State: Sendable {
        var elements: [Int] = []
        var ends: [SequenceConsumer.End] = []
        /// How many elements came after an end.
        var late = 0
        /// Whether more came than were sent, so that there is no end to them.
        var isFlooded = false
        /// How often `next()` is called, if it returns.
        var asks = 0
        /// Whether the iterator was made.
        var isMade = false
        var mustLeave = false
        /// Whether the iterator is gone.
        var hasLeft = false
        var mayEnd = false
        var isOver = false

        /// What the task does next.
        var step: Step {
            if self.isFlooded { return .leave }
            // After the end only two more calls.
            if self.ends.count < 3, self.elements.count + self.ends.count < self.asks { return .ask }
            return self.mustLeave ? .leave : .wait
        }

        /// Whether a call of `next()` has not returned.
        var isAsking: Bool { !self.hasLeft && self.step == .ask }
    }

    let state = Watched(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Makes the iterator, in a task on a thread of the scenario's.
    func begin(_ sequence: OneThreadSequence, of source: SequenceSourceCore, on thread: WorkerThread) {
        let task = Task(executorPreference: thread.executor) {
            await TaskLocals.$mark.withValue(OneShotCall.mark) {
                await self.iterate(sequence.makeAsyncIterator(), of: source)
                self.state.update { $0.hasLeft = true }
                // The task lives on, so that its end cannot be what stops the source.
                await self.state.waitUncancelled { $0.mayEnd }
            }
            self.state.update { $0.isOver = true }
        }
        self.task.withLock { $0 = task }
    }

    private func iterate(_ iterator: sending OneThreadIterator?, of source: SequenceSourceCore) async {
        self.state.update { $0.isMade = true }
        guard let iterator else { return }
        while true {
            var step = self.state.update(\.step)
            if step == .wait {
                await self.state.waitUncancelled { $0.step != .wait }
                step = self.state.update(\.step)
            }
            guard step == .ask else { return }
            do {
                if let element = try await iterator.next() {
                    self.state.update { state in
                        state.elements.append(element)
                        if !state.ends.isEmpty { state.late += 1 }
                        state.isFlooded = source.isFlooded(by: state.elements.count)
                    }
                } else {
                    self.state.update { $0.ends.append(.finished) }
                }
            } catch {
                self.state.update { $0.ends.append(.failed(error)) }
            }
        }
    }

    func cancel() { self.task.withLock { $0 }?.cancel() }

    /// Forgets how it has ended, and its task.
    func clear() {
        self.state.update { $0.ends = [] }
        self.task.withLock { $0 = nil }
    }
}
