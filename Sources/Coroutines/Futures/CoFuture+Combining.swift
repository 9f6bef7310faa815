// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

// Cancelling what these make cancels all the futures that it waits for.

extension CoFuture {
    /// A future of all values, in the order of the futures.
    ///
    /// If one fails, it fails at once with that error, and the others are cancelled.
    ///
    /// - Parameter futures: The futures; with none, the value is there at once.
    /// - Returns: The future.
    /// - Complexity: O(*n*).
    public static func all(_ futures: some Sequence<CoFuture<Value>>) -> CoFuture<[Value]> {
        let futures = Array(futures)
        let race = FutureRace<Value, [Value]>(futures)
        if race.isEmpty { race.whole.settle([]) }
        race.begin(futures) { results, index, result in
            switch result {
            case .failure(let error): .failure(error)
            case .success(let value):
                results.note(value, at: index) ? .success(results.values) : nil
            }
        }
        return race.whole
    }

    /// A future of the first value that comes; the others are cancelled then.
    ///
    /// If all fail, it fails with the error that came last.
    ///
    /// - Parameter futures: The futures; with none, it fails with ``CoFutureError/noFutures``.
    /// - Returns: The future.
    /// - Complexity: O(*n*).
    public static func any(_ futures: some Sequence<CoFuture<Value>>) -> CoFuture<Value> {
        let futures = Array(futures)
        let race = FutureRace<Value, Value>(futures)
        if race.isEmpty { race.whole.settle(failure: CoFutureError.noFutures) }
        race.begin(futures) { results, _, result in
            switch result {
            case .success(let value): .success(value)
            case .failure(let error): results.noteFailure() ? .failure(error) : nil
            }
        }
        return race.whole
    }

    /// A future of the first result that comes, be it a value or an error; the others are cancelled then.
    ///
    /// - Parameter futures: The futures; with none, it fails with ``CoFutureError/noFutures``.
    /// - Returns: The future.
    /// - Complexity: O(*n*).
    public static func race(_ futures: some Sequence<CoFuture<Value>>) -> CoFuture<Value> {
        let futures = Array(futures)
        let race = FutureRace<Value, Value>(futures)
        if race.isEmpty { race.whole.settle(failure: CoFutureError.noFutures) }
        race.begin(futures) { _, _, result in result }
        return race.whole
    }

    /// A future of all results, in the order of the futures; it does not fail, unless it is cancelled.
    ///
    /// - Parameter futures: The futures; with none, the value is there at once.
    /// - Returns: The future.
    /// - Complexity: O(*n*).
    public static func settled(
        _ futures: some Sequence<CoFuture<Value>>
    ) -> CoFuture<[Result<Value, any Error>]> {
        let futures = Array(futures)
        let race = FutureRace<Value, [Result<Value, any Error>]>(futures)
        if race.isEmpty { race.whole.settle([]) }
        race.begin(futures) { results, index, result in
            results.note(result, at: index) ? .success(results.results) : nil
        }
        return race.whole
    }
}

/// Futures that are waited for together, and the future of what they come to.
private final class FutureRace<Value: Sendable, Whole: Sendable>: Sendable {
    /// What has come so far.
    struct Results: Sendable {
        private var each: [Result<Value, any Error>?]
        private var missing: Int

        init(count: Int) {
            self.each = Array(repeating: nil, count: count)
            self.missing = count
        }

        var results: [Result<Value, any Error>] { self.each.compactMap(\.self) }

        var values: [Value] { self.each.compactMap { try? $0?.get() } }

        /// - Returns: Whether it was the last one.
        mutating func note(_ result: Result<Value, any Error>, at index: Int) -> Bool {
            self.each[index] = result
            return self.noteFailure()
        }

        mutating func note(_ value: Value, at index: Int) -> Bool { self.note(.success(value), at: index) }

        mutating func noteFailure() -> Bool {
            self.missing -= 1
            return self.missing == 0
        }
    }

    /// A future that may be cancelled, and is not kept alive: whoever drops a promise must be found out.
    private struct Loser: Sendable {
        weak var future: AnyCoFuture?
    }

    let isEmpty: Bool
    let whole = CoFuture<Whole>()
    private let results: Mutex<Results>

    init(_ futures: [CoFuture<Value>]) {
        self.isEmpty = futures.isEmpty
        self.results = Mutex(Results(count: futures.count))
    }

    /// Observes all futures.
    ///
    /// - Parameters:
    ///   - futures: The futures.
    ///   - decide: Says what the whole comes to, if that is known; called under a lock, of ours alone.
    func begin(
        _ futures: [CoFuture<Value>],
        _ decide: @escaping @Sendable (inout Results, Int, Result<Value, any Error>) -> Result<Whole, any Error>?
    ) {
        // The losers, and all if the whole is cancelled.
        let losers = futures.map { Loser(future: $0) }
        self.whole.whenComplete { for loser in losers { loser.future?.cancel() } }
        for (index, future) in futures.enumerated() {
            future.whenComplete { result in
                if let whole = self.results.withLock({ decide(&$0, index, result) }) { self.whole.settle(whole) }
            }
        }
    }
}
