// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

extension SequenceConsumer {
    nonisolated(nonsending) func consume<S: AsyncSequence>(
        _ make: (SequenceSource) -> S
    ) async where S.Element == Int {
        func makeSequence(_ source: SequenceSource) -> S {
            self.note(.making)
            defer { self.note(.iterating) }
            return make(source)
        }
        do {
            switch self.plan {
            case .all: try await self.loop(makeSequence, count: .max)
            case .breaking(let count): try await self.loop(makeSequence, count: count)
            case .pastTheEnd: await self.iterate(makeSequence, count: .max)
            case .dropping(let count): await self.iterate(makeSequence, count: count)
            case .again(let count): try await self.loopAgain(makeSequence(SequenceSource(self.source)), count: count)
            case .againAfterEnd: await self.loopAfterEnd(makeSequence(SequenceSource(self.source)))
            case .both: await self.iterateTwice(makeSequence(SequenceSource(self.source)), cancelling: nil)
            case .bothAtOnce(let threads):
                await self.iterateTwice(makeSequence(SequenceSource(self.source)), on: threads)
            case .bothCancelling(let which):
                await self.iterateTwice(makeSequence(SequenceSource(self.source)), cancelling: which)
            case .besideUnused: try await self.loopBesideUnused(makeSequence(SequenceSource(self.source)))
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
            seen += 1
            if !self.take(element) || seen == count { return self.note(.leaving) }
            await self.awaitPermit(seen)
        }
        self.state.update { $0.ends.append(.finished) }
        self.note(.leaving)
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
                    guard self.take(element) else { break }
                    seen += 1
                } else {
                    self.state.update { $0.ends.append(.finished) }
                }
            } catch {
                self.state.update { $0.ends.append(.failed(error)) }
            }
        }
        self.note(.leaving)
    }

    nonisolated(nonsending) private func loopAgain<S: AsyncSequence>(
        _ sequence: S,
        count: Int
    ) async throws where S.Element == Int {
        var seen = 0
        for try await element in sequence {
            seen += 1
            if !self.take(element) || seen == count { break }
        }
        self.state.update { $0.hasLeftFirst = true }
        for try await element in sequence { guard self.take(element) else { return } }
        self.state.update { $0.ends.append(.finished) }
    }

    nonisolated(nonsending) private func loopBesideUnused<S: AsyncSequence>(
        _ sequence: S
    ) async throws where S.Element == Int {
        for try await element in sequence {
            guard self.take(element) else { return }
            if element == 1 { _ = sequence.makeAsyncIterator() }
        }
        self.state.update { $0.ends.append(.finished) }
    }

    nonisolated(nonsending) private func loopAfterEnd<S: AsyncSequence>(_ sequence: S) async where S.Element == Int {
        for _ in 1...2 {
            do {
                for try await element in sequence { guard self.take(element) else { return } }
                self.state.update { $0.ends.append(.finished) }
            } catch {
                self.state.update { $0.ends.append(.failed(error)) }
            }
        }
    }

    nonisolated(nonsending) private func iterateTwice<S: AsyncSequence>(
        _ sequence: S,
        cancelling which: Which?
    ) async where S.Element == Int {
        let first = OneThreadIterator(sequence.makeAsyncIterator())
        let second = OneThreadIterator(sequence.makeAsyncIterator())
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.cancellable(which == .first) { await self.drain(first, .first) }
            }
            group.addTask {
                await self.cancellable(which == .second) { await self.drain(second, .second) }
            }
        }
    }

    nonisolated(nonsending) private func iterateTwice<S: AsyncSequence>(
        _ sequence: S,
        on threads: [WorkerThread]
    ) async where S.Element == Int {
        let start = Rendezvous()
        await withTaskGroup(of: Void.self) { group in
            for (thread, which) in zip(threads, [Which.first, .second]) {
                let iterator = OneThreadIterator(sequence.makeAsyncIterator())
                group.addTask(executorPreference: thread.executor) {
                    start.meet()
                    await self.drain(iterator, which)
                }
            }
        }
    }

    /// Does something in a task of its own, which is cancelled when the scenario says so, if it is that one.
    private func cancellable(_ isThatOne: Bool, _ body: @escaping @Sendable () async -> Void) async {
        // The other one too, so that the first comes to its wait first.
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await body()
                if isThatOne { self.state.update { $0.oneHasEnded = true } }
            }
            guard isThatOne else { return }
            try? await self.state.wait { $0.cancelsOne || $0.oneHasEnded }
            group.cancelAll()
        }
    }

    private func drain(_ iterator: OneThreadIterator, _ which: Which) async {
        do {
            while let element = try await iterator.next() {
                guard self.take(element, by: which) else { return }
            }
            self.state.update { $0.ends.append(.finished) }
        } catch {
            self.state.update { $0.ends.append(.failed(error)) }
            // One that was refused, or cancelled, goes, and must not end the other's iteration.
            iterator.release()
        }
    }

    /// Notes an element.
    ///
    /// - Returns: Whether to ask for the next: not a bridge that has made up so many that there is no end to them.
    private func take(_ element: Int, by which: Which = .first) -> Bool {
        let isFlooded = self.state.update { state in
            switch which {
            case .first: state.elements.append(element)
            case .second: state.second.append(element)
            }
            state.isFlooded = self.source.isFlooded(by: max(state.elements.count, state.second.count))
            return state.isFlooded
        }
        self.arrived.add(1, ordering: .releasing)
        return !isFlooded
    }

    private func awaitPermit(_ seen: Int) async {
        // Cancelled: it goes on, and asks the sequence, which must know what to do.
        try? await self.state.wait { $0.permits > seen || !$0.ends.isEmpty }
    }
}

/// An iterator on its way into another task.
///
/// Safe: the tasks run on the thread of the scenario, by their executor preference, and each has an iterator of its
/// own. So the iterators of one sequence are used as they are by two tasks of one actor.
final class OneThreadIterator: @unchecked Sendable {
    private var body: (() async throws -> Int?)?

    init<I: AsyncIteratorProtocol>(_ iterator: I) where I.Element == Int {
        var iterator = iterator
        self.body = { try await iterator.next(isolation: #isolation) }
    }

    func next() async throws -> Int? { try await self.body?() }

    /// Releases the iterator.
    func release() { self.body = nil }
}
