// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// One consumer of the sequence under test, in a task of its own, with a source of its own.
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
        /// Not at all: the sequence is dropped. The task lives on.
        case unused
    }

    /// The end of an iteration.
    enum End: Sendable {
        case finished
        case failed(any Error)
    }

    struct State: Sendable {
        var elements: [Int] = []
        /// How many elements may be consumed.
        var permits = Int.max
        var ends: [End] = []
        /// Whether iterator and sequence are gone.
        var hasLeft = false
        var mayEnd = false
        var isOver = false
    }

    let source: SequenceSourceCore
    let plan: Plan
    let state = Watched(State())
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

    func cancel() { self.task.withLock { $0 }?.cancel() }

    /// Forgets what it has seen, and its task.
    func clear() {
        self.source.clear()
        self.state.update { $0.ends = [] }
        self.task.withLock { $0 = nil }
    }
}

// MARK: - Consuming

extension SequenceConsumer {
    nonisolated(nonsending) func consume<S: AsyncSequence>(
        _ makeSequence: (SequenceSource) -> S
    ) async where S.Element == Int {
        do {
            switch self.plan {
            case .all: try await self.loop(makeSequence, count: .max)
            case .breaking(let count): try await self.loop(makeSequence, count: count)
            case .pastTheEnd: await self.iterate(makeSequence, count: .max)
            case .dropping(let count): await self.iterate(makeSequence, count: count)
            case .unused: _ = makeSequence(SequenceSource(self.source))
            }
        } catch {
            self.state.update { $0.ends.append(.failed(error)) }
        }
    }

    nonisolated(nonsending) private func loop<S: AsyncSequence>(
        _ makeSequence: (SequenceSource) -> S,
        count: Int
    ) async throws where S.Element == Int {
        await self.awaitPermit(0)
        var seen = 0
        for try await element in makeSequence(SequenceSource(self.source)) {
            self.state.update { $0.elements.append(element) }
            seen += 1
            if seen == count { return }
            await self.awaitPermit(seen)
        }
        self.state.update { $0.ends.append(.finished) }
    }

    nonisolated(nonsending) private func iterate<S: AsyncSequence>(
        _ makeSequence: (SequenceSource) -> S,
        count: Int
    ) async where S.Element == Int {
        var iterator = makeSequence(SequenceSource(self.source)).makeAsyncIterator()
        var seen = 0
        // Past the end: the end itself and two more.
        while seen < count, self.state.value.ends.count < 3 {
            do {
                if let element = try await iterator.next(isolation: #isolation) {
                    self.state.update { $0.elements.append(element) }
                    seen += 1
                } else {
                    self.state.update { $0.ends.append(.finished) }
                }
            } catch {
                self.state.update { $0.ends.append(.failed(error)) }
            }
        }
    }

    private func awaitPermit(_ seen: Int) async {
        // Cancelled: it goes on, and asks the sequence, which must know what to do.
        try? await self.state.wait { $0.permits > seen || !$0.ends.isEmpty }
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
