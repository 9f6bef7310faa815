// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeFutures
public import Coroutines

// SwiftCoroutine's spelling of "cancelled", and its errors of a cancellation.

extension CoFutureError {
    /// The error of a future that was cancelled: `CancellationError` itself.
    ///
    /// `catch CoFutureError.canceled` catches it, and so does `catch is CancellationError`.
    ///
    /// - Complexity: O(1).
    public static var canceled: CancellationError { CancellationError() }
}

extension CoChannelError {
    /// The error of a cancelled channel or waiter: `CancellationError` itself.
    ///
    /// `catch CoChannelError.canceled` catches it, and so does `catch is CancellationError`.
    ///
    /// - Complexity: O(1).
    public static var canceled: CancellationError { CancellationError() }
}

extension CoroutineError {
    /// The error of a coroutine that was cancelled: `CancellationError` itself.
    ///
    /// - Complexity: O(1).
    public static var canceled: CancellationError { CancellationError() }
}

extension CoScope {
    /// Whether it was cancelled: `isCancelled`.
    ///
    /// - Complexity: O(1).
    public var isCanceled: Bool { self.isCancelled }
}

extension AnyCoFuture {
    /// Whether its result is a cancellation: `isCancelled`.
    ///
    /// - Complexity: O(1).
    public final var isCanceled: Bool { self.isCancelled }

    /// Calls a closure when this future is cancelled: `whenCancelled(_:)`.
    ///
    /// - Parameter callback: Called at most once.
    /// - Complexity: O(1).
    @preconcurrency
    public final func whenCanceled(_ callback: @escaping @Sendable () -> Void) { self.whenCancelled(callback) }
}

extension CoChannel {
    /// Whether nothing more can be received: `isCancelled`.
    ///
    /// - Complexity: O(1).
    public var isCanceled: Bool { self.isCancelled }

    /// Calls a closure when the channel is cancelled: `whenCancelled(_:)`.
    ///
    /// - Parameter callback: Called at most once, in the call that cancels, outside every lock.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenCanceled(_ callback: @escaping @Sendable () -> Void) { self.whenCancelled(callback) }
}

extension CoChannel.Sender {
    /// Whether nothing more can be received: `isCancelled`.
    ///
    /// - Complexity: O(1).
    public var isCanceled: Bool { self.isCancelled }

    /// Calls a closure when the channel is cancelled: `whenCancelled(_:)`.
    ///
    /// - Parameter callback: Called at most once, in the call that cancels, outside every lock.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenCanceled(_ callback: @escaping @Sendable () -> Void) { self.whenCancelled(callback) }
}

extension CoChannel.Receiver {
    /// Whether nothing more can be received: `isCancelled`.
    ///
    /// - Complexity: O(1).
    public var isCanceled: Bool { self.isCancelled }

    /// Calls a closure when the channel is cancelled: `whenCancelled(_:)`.
    ///
    /// - Parameter callback: Called at most once, in the call that cancels, outside every lock.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenCanceled(_ callback: @escaping @Sendable () -> Void) { self.whenCancelled(callback) }
}
