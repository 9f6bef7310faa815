// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridgeFutures
public import NIOCore
import Synchronization

extension EventLoopFuture where Value: Sendable {
    /// A `CoFuture` of the same result, for coroutines, `select` and publishers.
    ///
    /// ```swift
    /// let reply = try connection.send(request).coFuture().await()
    /// ```
    ///
    /// ## Cancellation
    /// A cancelled `CoFuture` is over at once. The event loop's future cannot be cancelled and goes on; give a closure
    /// that stops the work behind it.
    ///
    /// ## Isolation
    /// The future is settled, and its observers run, on the event loop. On that loop, a future that has its result
    /// gives a future that has it too.
    ///
    /// - Parameter cancel: Stops the work when the `CoFuture` is cancelled; called at most once, in that call, and not
    ///   if this future has its result already.
    /// - Returns: The future.
    /// - Complexity: O(1).
    @inlinable
    public func coFuture(onCancel cancel: (@Sendable () -> Void)? = nil) -> CoFuture<Value> {
        let promise = CoPromise<Value>()
        guard let cancel else {
            self.whenComplete { promise.complete(with: $0) }
            return promise
        }
        let completion = FutureCompletion()
        self.whenComplete { result in
            completion.note()
            promise.complete(with: result)
        }
        // A future that has failed with `CancellationError` of its own counts as cancelled.
        promise.whenCanceled { if !completion.isNoted { cancel() } }
        return promise
    }
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
