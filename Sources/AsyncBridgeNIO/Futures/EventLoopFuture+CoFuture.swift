// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridgeFutures
public import NIOCore
import Synchronization

extension EventLoopFuture where Value: Sendable {
    /// A `CoFuture` with the same result, for coroutines, `select` and publishers.
    ///
    /// ```swift
    /// let reply = try connection.send(request).coFuture().await()
    /// ```
    ///
    /// ## Cancellation
    /// A cancelled `CoFuture` ends at once. The event loop's future cannot be cancelled and continues; pass a closure
    /// that stops its work.
    ///
    /// ## Isolation
    /// The future is settled, and its observers run, on the event loop. On that loop, a future that already has its
    /// result returns a future that has it too.
    ///
    /// If the loop is shut down before the future gets its result, or before its callbacks have run, the `CoFuture`
    /// fails with `EventLoopError.shutdown`.
    ///
    /// - Parameter cancel: Stops the work when the `CoFuture` is cancelled; called at most once, in that call, and not
    ///   if this future already has its result.
    /// - Returns: The future.
    /// - Complexity: O(1).
    @inlinable
    public func coFuture(onCancel cancel: (@Sendable () -> Void)? = nil) -> CoFuture<Value> {
        let promise = CoPromise<Value>()
        let sink = PromiseSink(promise)
        guard let cancel else {
            self.whenComplete { sink.promise.complete(with: $0) }
            return promise
        }
        let completion = FutureCompletion()
        self.whenComplete { result in
            completion.note()
            sink.promise.complete(with: result)
        }
        // A future that has failed with `CancellationError` of its own counts as cancelled.
        promise.whenCanceled { if !completion.isNoted { cancel() } }
        return promise
    }
}

/// A promise, held by a callback of an event loop's future.
///
/// Fails it if the callback is dropped, as a loop does that was shut down.
@usableFromInline
struct PromiseSink<Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline let promise: CoPromise<Value>

    @inlinable
    init(_ promise: CoPromise<Value>) { self.promise = promise }

    // Nothing new if the promise has its result.
    @inlinable deinit { self.promise.fail(EventLoopError.shutdown) }
}

/// Whether an event loop's future has its result, and nothing is left to be stopped.
@usableFromInline
final class FutureCompletion: Sendable {
    private let noted = Atomic(false)

    @usableFromInline
    init() {}

    @usableFromInline
    func note() { self.noted.store(true, ordering: .releasing) }

    @usableFromInline var isNoted: Bool { self.noted.load(ordering: .acquiring) }
}
#endif
