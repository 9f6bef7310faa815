// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import OpenCombineShim
import Synchronization

/// Takes one value from a publisher: the lock around its ``ValueState``.
///
/// The result is handed on once. If the publisher releases its subscriber without a completion, that is the result.
final class ValueSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    /// Cancels the subscription.
    ///
    /// Does not hold the subscriber.
    let upstream = Upstream()

    private let state: Mutex<ValueState<Input>>
    private let bridge: StaticString
    private let made: CallSite
    private let onResult: @Sendable (Result<ValueState<Input>.Outcome, any Error>) -> Void

    init(
        _ wanted: PublisherValue,
        for bridge: StaticString,
        made: CallSite,
        onResult: @escaping @Sendable (Result<ValueState<Input>.Outcome, any Error>) -> Void
    ) {
        self.state = Mutex(ValueState(wanted))
        self.bridge = bridge
        self.made = made
        self.onResult = onResult
        switch wanted {
        case .first: self.upstream.request(.max(1))
        // The second one tells that there is more than one.
        case .single: self.upstream.request(.max(2))
        case .last: self.upstream.request(.unlimited)
        }
    }

    deinit {
        // A publisher that is cancelled releases its subscriber, and that is no fault.
        guard !self.upstream.isOver else { return }
        let leftovers = self.state.withLock { $0.end() }
        // Reported before the waiter runs again, so that code that gets the fault finds the report.
        self.onResult(.failure(DroppedSubscriber.report(self.bridge, made: self.made)))
        releaseHere(leftovers)
    }

    func receive(subscription: any Subscription) { self.upstream.receive(subscription) }

    func receive(_ input: Input) -> Subscribers.Demand {
        let reception = self.state.withLock { $0.receive(input) }
        if let outcome = reception.outcome {
            self.upstream.cancel()
            self.onResult(.success(outcome))
        }
        // Not under the lock: its `deinit` is the user's.
        releaseHere(reception.replaced)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        self.upstream.complete()
        switch completion {
        case .finished:
            if let outcome = self.state.withLock({ $0.finish() }) { self.onResult(.success(outcome)) }
        case .failure(let error):
            guard let leftovers = self.state.withLock({ $0.end() }) else { return }
            self.onResult(.failure(error))
            releaseHere(leftovers)
        }
    }
}

extension ValueState.Outcome {
    /// The value; or the fault that there is none, or more than one.
    ///
    /// - Parameter made: Where it was asked for.
    /// - Returns: The value.
    /// - Throws: The fault.
    func value(made: CallSite) throws(BridgeFault) -> Value {
        switch self {
        case .value(let value): return value
        case .noValue: throw BridgeFault(.noValue, made: made)
        case .severalValues: throw BridgeFault(.severalValues, made: made)
        }
    }
}
#endif
