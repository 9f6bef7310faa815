// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import Synchronization

/// A sequence that a test feeds by hand, and that counts what it is asked.
///
/// All iterations share the elements, as those of an `AsyncStream` do.
final class HandSequence: AsyncSequence, Sendable {
    typealias Element = Int
    typealias Failure = any Error

    enum Event: Equatable {
        case value(Int)
        case finish
        case fail
    }

    private struct State {
        var events: [Event] = []
        var waiters: [Int: CheckedContinuation<Event?, Never>] = [:]
        var iterations = 0
        var asked = 0
        var given = 0
    }

    /// Whether a wait goes on when its task is cancelled.
    let ignoresCancellation: Bool
    private let state = Mutex(State())
    private let onNext: (@Sendable () -> Void)?

    init(ignoresCancellation: Bool = false, onNext: (@Sendable () -> Void)? = nil) {
        self.ignoresCancellation = ignoresCancellation
        self.onNext = onNext
    }

    // MARK: What the test calls

    func take(_ event: Event) {
        let waiter = self.state.withLock { state -> CheckedContinuation<Event?, Never>? in
            guard let (id, waiter) = state.waiters.min(by: { $0.key < $1.key }) else {
                state.events.append(event)
                return nil
            }
            state.waiters[id] = nil
            state.given += 1
            return waiter
        }
        waiter?.resume(returning: event)
    }

    // MARK: What was seen

    /// How many iterators were made.
    var iterations: Int { self.state.withLock { $0.iterations } }

    /// How often `next()` was called.
    var asked: Int { self.state.withLock { $0.asked } }

    /// How many events left it.
    var given: Int { self.state.withLock { $0.given } }

    // MARK: Iterating

    func makeAsyncIterator() -> Iterator {
        self.state.withLock { $0.iterations += 1 }
        return Iterator(base: self)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let base: HandSequence

        func next() async throws -> Int? { try await self.next(isolation: nil) }

        func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Int? {
            self.base.onNext?()
            guard let event = await self.base.next(actor) else { throw CancellationError() }
            switch event {
            case .value(let value): return value
            case .finish: return nil
            case .fail: throw StepFailure()
            }
        }
    }

    private func next(_ actor: isolated (any Actor)?) async -> Event? {
        let id = self.state.withLock { state in
            state.asked += 1
            return state.asked
        }
        return await withTaskCancellationHandler {
            _ = actor
            return await withCheckedContinuation { continuation in
                let answer: Event?? = self.state.withLock { state in
                    if !state.events.isEmpty {
                        state.given += 1
                        return state.events.removeFirst()
                    }
                    if Task.isCancelled, !self.ignoresCancellation { return .some(nil) }
                    state.waiters[id] = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            guard !self.ignoresCancellation else { return }
            self.state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }
}
#endif
