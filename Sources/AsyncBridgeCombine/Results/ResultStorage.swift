// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import OpenCombineShim
import Synchronization

/// One result, which is held until the subscriber asks for it: the lock around its ``ResultState``.
///
/// What works on the result holds it, and so the subscriber; but not the subscription, whose end it must see.
final class ResultStorage<Value: Sendable, Failure: Error>: Sendable {
    typealias Downstream = Receiver<Value, Failure>
    private typealias State = ResultState<Value, Failure, Downstream>

    private let state: Mutex<State>
    // Stops the work, once it has begun; or the subscription was cancelled before.
    private let work = Mutex(Work.notBegun)

    private enum Work: Sendable {
        case notBegun
        case running(cancel: @Sendable () -> Void)
        case settled
        case cancelled

        /// Ends it, and returns what it was.
        mutating func end(_ end: Self) -> Self {
            defer { self = end }
            return self
        }
    }

    init(_ downstream: Downstream) { self.state = Mutex(State(downstream)) }

    /// Begins the work; the closure returns what stops it.
    ///
    /// - Parameters:
    ///   - start: Begins it. Not called if the subscriber has cancelled already.
    ///   - decline: Called instead.
    func begin(_ start: () -> @Sendable () -> Void, else decline: () -> Void = {}) {
        guard !self.state.withLock({ $0.isOver }) else { return decline() }
        let cancel = start()
        let isCancelled = self.work.withLock { work in
            switch work {
            case .notBegun:
                work = .running(cancel: cancel)
                return false
            case .cancelled:
                return true
            // Race: there is a result already, which is perhaps being sent at this moment.
            case .running, .settled:
                return false
            }
        }
        // Race: a cancellation that came meanwhile, in another thread, found nothing to stop.
        if isCancelled { cancel() }
    }

    /// There is a result; the first one counts.
    func settle(_ result: Result<Value, Failure>) {
        let delivery = self.state.withLock { $0.settle(result) }
        // What stops the work may hold it.
        releaseHere(self.work.withLock { $0.end(.settled) })
        self.send(delivery)
    }

    /// As ``settle(_:)``, on an actor: there the subscriber may cancel, and nothing comes after that.
    func settle(_ result: Result<Value, Failure>, on isolation: isolated (any Actor)?) async { self.settle(result) }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        self.send(self.state.withLock { $0.request() })
    }

    func cancel() { self.end(self.state.withLock { $0.cancel() }) }

    /// The subscriber has dropped its subscription.
    func drop() { self.end(self.state.withLock { $0.drop() }) }

    private func end(_ leftovers: State.Leftovers?) {
        guard let leftovers else { return }
        if case .running(let cancel) = self.work.withLock({ $0.end(.cancelled) }) { cancel() }
        releaseHere(leftovers)
    }

    private func send(_ delivery: State.Delivery) {
        switch delivery {
        case .none:
            break
        case .value(let downstream, let value):
            // What it asks for in return would be a second value.
            _ = downstream.subscriber.receive(value)
            self.state.withLock { $0.finish() }?.subscriber.receive(completion: .finished)
        case .failure(let downstream, let error):
            downstream.subscriber.receive(completion: .failure(error))
        }
    }
}

/// What the subscriber gets: dropping it ends the work for a value that nothing can ask for any more.
final class ResultSubscription<Value: Sendable, Failure: Error>: Subscription, Sendable {
    private let storage: ResultStorage<Value, Failure>

    init(_ storage: ResultStorage<Value, Failure>) { self.storage = storage }

    deinit { self.storage.drop() }

    func request(_ demand: Subscribers.Demand) { self.storage.request(demand) }

    func cancel() { self.storage.cancel() }
}
#endif
