// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Passes elements from senders to receivers, in order, each to one receiver.
///
/// ```swift
/// let channel = CoChannel<Int>(buffering: .bounded(capacity: 1))
///
/// Task {
///     for number in 0..<10 { try await channel.send(number) }
///     channel.close()
/// }
///
/// for try await number in channel { print(number) }
/// ```
///
/// Coroutines and tasks use the same channel, on either side. In a coroutine, with `import Coroutines`:
///
/// ```swift
/// DispatchQueue.global().startCoroutine {
///     for number in 0..<10 { try channel.awaitSend(number) }
///     channel.close()
/// }
/// ```
///
/// A sender suspends while the channel is full, a receiver while it is empty; neither blocks a thread. Several may send
/// and several may receive: the longest waiter is served first.
///
/// ## The end
/// ``close()`` is for the sender: elements in the channel are still received. ``cancel()`` is for either side: elements
/// in the channel are discarded. A channel also ends when only ``receiver``s or only ``sender``s are left, with an
/// error that names the place where it was made, so that no wait for the other side lasts forever. Hand out ``pair``
/// for that: the channel itself can send and receive, so it counts as both.
///
/// ## Cancellation
/// Cancelling a coroutine or task that waits here ends its wait with `CancellationError`. An element that was already
/// handed to it is still returned: it is never lost.
///
/// ## What is not delivered
/// Elements that will not be received go to `onUndelivered`, which may close or release their resources: those left in
/// a channel that is cancelled or released, those that its `BufferingPolicy` drops, and those sent to an ended
/// channel or by a cancelled sender.
///
/// ## Isolation
/// May be used on any thread. No user code is called under a lock.
public final class CoChannel<Element>: Sendable {
    @usableFromInline package let storage: ChannelStorage<Element>

    /// Makes an open channel.
    ///
    /// - Parameters:
    ///   - buffering: How many elements may wait in it, and what happens to one more.
    ///   - onUndelivered: Gets elements that will not be received, once each, outside every lock, on the thread that
    ///     detects this.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Complexity: O(1).
    public convenience init(
        buffering: BufferingPolicy = .unbounded,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(ChannelStorage(buffering, made: CallSite(fileID: fileID, line: line), onUndelivered: onUndelivered))
    }

    init(_ storage: ChannelStorage<Element>) {
        self.storage = storage
        storage.addSender()
        storage.addReceiver()
    }

    deinit { self.storage.removeSenderAndReceiver() }

    // MARK: Halves

    /// A handle that can only send; each call makes a new one.
    ///
    /// - Complexity: O(1).
    public var sender: Sender { Sender(self.storage) }

    /// A handle that can only receive; each call makes a new one.
    ///
    /// - Complexity: O(1).
    public var receiver: Receiver { Receiver(self.storage) }

    /// A handle for each side: keep one, give the other away, and drop the channel itself.
    ///
    /// - Complexity: O(1).
    public var pair: (receiver: Receiver, sender: Sender) { (self.receiver, self.sender) }

    /// A handle that receives the elements transformed by a closure.
    ///
    /// - Parameter transform: Called by the receiving code, outside every lock.
    /// - Returns: The handle.
    /// - Complexity: O(1).
    @preconcurrency
    @inlinable
    public func map<NewElement>(
        _ transform: @escaping @Sendable (sending Element) -> sending NewElement
    ) -> CoChannel<NewElement>.Receiver {
        self.receiver.map(transform)
    }

    // MARK: State

    /// How many elements may wait in the channel, and what happens to one more.
    public var buffering: BufferingPolicy { self.storage.buffering }

    /// The number of elements that wait in the channel; those of suspended senders do not count.
    ///
    /// - Complexity: O(1).
    public var count: Int { self.storage.count }

    /// Whether no element waits in the channel.
    ///
    /// - Complexity: O(1).
    public var isEmpty: Bool { self.count == 0 }
}

// MARK: - The end

extension CoChannel {
    /// Closes the channel: nothing more can be sent, but elements in it can be received.
    ///
    /// Waiting senders and receivers get ``CoChannelError/closed``.
    ///
    /// - Returns: `false` if it had ended before.
    /// - Complexity: O(*n*) in the number of waiters.
    @discardableResult
    public func close() -> Bool { self.storage.finish(.closed) }

    /// Closes the channel with an error: nothing more can be sent, but elements in it can be received.
    ///
    /// After these elements, receivers get the error. Waiting senders get it at once, and their elements go to
    /// `onUndelivered`.
    ///
    /// - Parameter error: The error.
    /// - Returns: `false` if it had ended before.
    /// - Complexity: O(*n*) in the number of waiters.
    @discardableResult
    public func close(throwing error: any Error) -> Bool { self.storage.finish(.failed, failure: error) }

    /// Whether nothing more can be sent: the channel was closed, or all senders were released.
    ///
    /// - Complexity: O(1).
    public var isClosed: Bool { self.storage.end?.keepsElements ?? false }

    /// Ends the channel: nothing more can be sent or received; the elements in it go to `onUndelivered`.
    ///
    /// Waiters get `CancellationError`.
    ///
    /// - Complexity: O(*n*) in the number of elements and of waiters.
    public func cancel() { self.storage.finish(.cancelled) }

    /// Whether nothing more can be received: the channel was cancelled, or all receivers were released.
    ///
    /// - Complexity: O(1).
    public var isCancelled: Bool { self.storage.isCancelled }

    /// Calls a closure when the channel is cancelled, open or closed; immediately, if it already was cancelled.
    ///
    /// - Parameter callback: Called at most once, in the call that cancels, outside every lock.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenCancelled(_ callback: @escaping @Sendable () -> Void) { self.storage.whenCancelled(callback) }

    /// Calls a closure when the channel has ended or is released; immediately, if it has already ended.
    ///
    /// - Parameter callback: Called once, in the call that ends the channel, outside every lock.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenComplete(_ callback: @escaping @Sendable () -> Void) { self.storage.observe { _ in callback() } }

    /// Calls a closure with the error that users of the channel get once it has ended; with `nil` if it is released.
    ///
    /// - Parameter callback: Called once, in the call that ends the channel, outside every lock.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) {
        self.storage.whenFinished(callback)
    }
}

extension CoChannel: CoCancellable {}
