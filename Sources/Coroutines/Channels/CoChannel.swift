// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Hands elements from those who send to those who receive, in order, each to one of them.
///
/// Coroutines and tasks use the same channel, on either side:
///
/// ```swift
/// let channel = CoChannel<Int>(capacity: 1)
///
/// DispatchQueue.global().startCoroutine {
///     for number in 0..<10 { try channel.awaitSend(number) }
///     channel.close()
/// }
///
/// Task {
///     for try await number in channel { print(number) }
/// }
/// ```
///
/// A sender suspends while the channel is full, a receiver while it is empty; nobody blocks a thread. Several may send and
/// several may receive: the longest waiting is served first.
///
/// ## The end
/// ``close()`` is for the sender: what is in the channel is still received. ``cancel()`` is for either side: what is in the
/// channel is given up. A channel of which only ``receiver``s are left ends as well, with an error that names the place where
/// it was made, and so does one of which only ``sender``s are left: nobody waits for ever for a party that is gone. Hand out
/// ``pair`` for that; whoever holds the channel itself could still do either.
///
/// ## Cancellation
/// Cancelling a coroutine or task that waits here ends its wait with `CancellationError`. An element that was handed to it
/// before is returned all the same: it is never lost between the two.
///
/// ## What is not delivered
/// What remains in a channel that is cancelled or goes away, what ``BufferType/conflated`` replaces, and what is sent to a
/// channel that has ended or by a sender that is cancelled, goes to `onUndelivered`: for elements that must be closed.
///
/// ## Isolation
/// May be used on any thread. Nothing of the user's is called under a lock.
public final class CoChannel<Element>: Sendable {
    /// How many elements wait in a channel for a receiver.
    public enum BufferType: Sendable, Hashable {
        /// None: a sender waits until its element is received. A rendezvous.
        case none
        /// So many; a sender waits while they are there.
        case buffered(capacity: Int)
        /// As many as are sent: no sender waits. Memory is the bound.
        case unlimited
        /// The newest: each replaces the one before. No sender waits.
        case conflated

        /// Whether a second element replaces the first, and how many there may be.
        var bounds: (capacity: Int, isConflated: Bool) {
            switch self {
            case .none: (0, false)
            case .buffered(let capacity) where capacity < 0:
                fatalError("A channel cannot hold \(capacity) elements. Use 0 or more, or `.unlimited`.")
            case .buffered(let capacity): (capacity, false)
            case .unlimited: (.max, false)
            case .conflated: (1, true)
            }
        }
    }

    @usableFromInline let storage: ChannelStorage<Element>

    /// Makes an open channel.
    ///
    /// - Parameters:
    ///   - type: How many elements may wait in it.
    ///   - onUndelivered: Gets what nobody will receive, once each, outside every lock, on the thread on which it turned out.
    ///   - fileID: The caller's file, for errors.
    ///   - line: The caller's line, for errors.
    /// - Complexity: O(1).
    public init(
        bufferType type: BufferType = .unlimited,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.storage = ChannelStorage(type, made: CallSite(fileID: fileID, line: line), onUndelivered: onUndelivered)
        self.storage.addSender()
        self.storage.addReceiver()
    }

    /// Makes an open channel that holds so many elements.
    ///
    /// - Parameters:
    ///   - capacity: The number of elements that may wait in it; with 0, none.
    ///   - onUndelivered: Gets what nobody will receive; see ``init(bufferType:onUndelivered:fileID:line:)``.
    ///   - fileID: The caller's file, for errors.
    ///   - line: The caller's line, for errors.
    /// - Complexity: O(1).
    public convenience init(
        capacity: Int,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(bufferType: .buffered(capacity: capacity), onUndelivered: onUndelivered, fileID: fileID, line: line)
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
    public var receiver: Receiver { DirectReceiver(self.storage) }

    /// A handle for each side: keep one, give the other away, and let go of the channel itself.
    ///
    /// - Complexity: O(1).
    public var pair: (receiver: Receiver, sender: Sender) { (self.receiver, self.sender) }

    /// A handle that receives what a closure makes of each element.
    ///
    /// - Parameter transform: Called by whoever receives, outside every lock.
    /// - Returns: The handle.
    /// - Complexity: O(1).
    @preconcurrency
    public func map<NewElement>(
        _ transform: @escaping @Sendable (sending Element) -> sending NewElement
    ) -> CoChannel<NewElement>.Receiver {
        self.receiver.map(transform)
    }

    // MARK: State

    /// How many elements may wait in the channel.
    public var bufferType: BufferType { self.storage.bufferType }

    /// The number of elements that wait in the channel; those of suspended senders do not count.
    ///
    /// - Complexity: O(1).
    public var count: Int { self.storage.count }

    /// Whether no element waits in the channel.
    ///
    /// - Complexity: O(1).
    public var isEmpty: Bool { self.count == 0 }
}

// MARK: - Sending

extension CoChannel {
    /// Sends an element, in a coroutine, which is suspended while the channel is full.
    ///
    /// ## Cancellation
    /// Ends the wait at once; the element is not sent.
    ///
    /// ## Isolation
    /// The coroutine goes on where it was: in its task, on its actor, or on its scheduler.
    ///
    /// - Parameter element: The element.
    /// - Throws: ``CoChannelError``; `CancellationError` if the coroutine or the channel was cancelled;
    ///   ``CoroutineError/outsideCoroutine``. The element goes to `onUndelivered` then.
    /// - Complexity: O(1) amortised.
    @available(*, noasync, message: "Use `try await channel.send(element)` in async code")
    @inlinable
    public func awaitSend(_ element: sending Element) throws { try self.storage.awaitSend(element) }

    /// Sends an element, in a task, which is suspended while the channel is full.
    ///
    /// ## Cancellation
    /// Ends the wait at once; the element is not sent. An element for which there is room is sent in a cancelled task too.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Parameter element: The element.
    /// - Throws: ``CoChannelError``; `CancellationError` if the task or the channel was cancelled. The element goes to
    ///   `onUndelivered` then.
    /// - Complexity: O(1) amortised.
    @inlinable
    public nonisolated(nonsending) func send(_ element: sending Element) async throws {
        try await self.storage.sendOrThrow(Disconnected(unchecked: element))
    }

    /// Sends an element if that is possible at once.
    ///
    /// Isolation: may be called on any thread.
    ///
    /// - Parameter element: The element.
    /// - Returns: False if the channel is full and nobody waits for the element, or if it has ended. The caller keeps the
    ///   element then: it does not go to `onUndelivered`.
    /// - Complexity: O(1) amortised.
    @discardableResult
    @inlinable
    public func offer(_ element: sending Element) -> Bool { self.storage.offer(element) }

    /// Sends what a future brings, when it does.
    ///
    /// If the channel is full then, the value waits for its turn among the suspended senders. Nothing happens if the future
    /// fails. A channel that has ended gives the value to `onUndelivered`.
    ///
    /// - Parameter future: The future.
    /// - Complexity: O(1) amortised.
    public func sendFuture(_ future: CoFuture<Element>) where Element: Sendable { self.storage.send(future) }
}

// MARK: - Receiving

extension CoChannel {
    /// Receives the next element, in a coroutine, which is suspended while there is none.
    ///
    /// ## Cancellation
    /// Ends the wait at once. An element that was handed over before is returned.
    ///
    /// ## Isolation
    /// The coroutine goes on where it was: in its task, on its actor, or on its scheduler.
    ///
    /// - Returns: The element.
    /// - Throws: ``CoChannelError``; `CancellationError` if the coroutine or the channel was cancelled;
    ///   ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(1) amortised.
    @available(*, noasync, message: "Use `try await channel.receive()` in async code")
    @inlinable
    public func awaitReceive() throws -> sending Element { try self.storage.awaitReceive() }

    /// Receives the next element, in a task, which is suspended while there is none.
    ///
    /// ## Cancellation
    /// Ends the wait at once. An element that was handed over before, or that is there, is returned.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Returns: The element.
    /// - Throws: ``CoChannelError``; `CancellationError` if the task or the channel was cancelled.
    /// - Complexity: O(1) amortised.
    @inlinable
    public nonisolated(nonsending) func receive() async throws -> sending Element {
        try await self.storage.receiveOrThrow()
    }

    /// Receives the next element if there is one.
    ///
    /// Isolation: may be called on any thread.
    ///
    /// - Returns: The element; nothing if there is none, or the channel has ended.
    /// - Complexity: O(1) amortised.
    @inlinable
    public func poll() -> sending Element? { self.storage.poll() }

    /// Calls a closure with the next element, when there is one, or with the error with which the channel has ended.
    ///
    /// ## Isolation
    /// The closure runs in this call, or where the element is sent or the channel ended, outside every lock.
    ///
    /// - Parameter callback: Called once.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenReceive(_ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void) {
        self.storage.whenReceive(callback)
    }

    /// The next element as a future.
    ///
    /// Cancelling the future gives the place in the channel up; the element is for others then.
    ///
    /// - Returns: The future.
    /// - Complexity: O(1) amortised.
    public func receiveFuture() -> CoFuture<Element> where Element: Sendable {
        CoFuture(receiving: { self.storage.whenReceive($0) })
    }

    /// The elements to come, for a loop in a coroutine; outside a coroutine those that are there.
    ///
    /// The loop ends with the channel, and when the coroutine is cancelled: ask `Coroutine.checkCancellation()` after it.
    ///
    /// ```swift
    /// for number in channel.makeIterator() { print(number) }
    /// ```
    ///
    /// - Returns: An iterator, which is a sequence as well.
    /// - Complexity: O(1).
    public func makeIterator() -> AnyIterator<Element> { self.storage.makeIterator() }
}

extension CoChannel: AsyncSequence {
    /// Receives, one element after the other, until the channel has ended.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let storage: ChannelStorage<Element>
        // So that the channel does not end while somebody iterates over it.
        private let handle: AnyObject

        init(_ storage: ChannelStorage<Element>, keeping handle: AnyObject) {
            self.storage = storage
            self.handle = handle
        }

        /// Receives the next element.
        ///
        /// - Returns: The element; nothing if the channel was closed.
        /// - Throws: ``CoChannelError/senderDropped(_:)``; `CancellationError` if the task or the channel was cancelled.
        /// - Complexity: O(1) amortised.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> sending Element? {
            try await self.storage.receiveNext()
        }

        /// Receives the next element.
        ///
        /// - Returns: The element; nothing if the channel was closed.
        /// - Throws: ``CoChannelError/senderDropped(_:)``; `CancellationError` if the task or the channel was cancelled.
        /// - Complexity: O(1) amortised.
        @inlinable
        public nonisolated(nonsending) mutating func next() async throws -> sending Element? {
            try await self.storage.receiveNext()
        }
    }

    /// Makes an iterator; several share the elements between them.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self.storage, keeping: self) }
}

// MARK: - The end

extension CoChannel {
    /// Closes the channel: nothing more can be sent, what is in it can be received.
    ///
    /// Who waits, to send or to receive, gets ``CoChannelError/closed``.
    ///
    /// - Returns: False if it had ended before.
    /// - Complexity: O(*n*) in the number of those who wait.
    @discardableResult
    public func close() -> Bool { self.storage.finish(.closed) }

    /// Whether nothing more can be sent because the channel was closed, or nobody is left who could.
    ///
    /// - Complexity: O(1).
    public var isClosed: Bool { self.storage.end?.keepsElements ?? false }

    /// Ends the channel: nothing more can be sent or received; what is in it is undelivered.
    ///
    /// Who waits gets `CancellationError`.
    ///
    /// - Complexity: O(*n*) in the number of elements and of those who wait.
    public func cancel() { self.storage.finish(.cancelled) }

    /// Whether nothing more can be received because the channel was cancelled, or nobody is left who could.
    ///
    /// - Complexity: O(1).
    public var isCanceled: Bool { self.storage.isCanceled }

    /// Calls a closure when the channel is cancelled; now, if it was.
    ///
    /// - Parameter callback: Called at most once, in the call that cancels, outside every lock.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenCanceled(_ callback: @escaping @Sendable () -> Void) { self.storage.whenCanceled(callback) }

    /// Calls a closure when the channel has ended or goes away; now, if it has.
    ///
    /// - Parameter callback: Called once, in the call that ends the channel, outside every lock.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenComplete(_ callback: @escaping @Sendable () -> Void) { self.storage.observe { _ in callback() } }

    /// Calls a closure when the channel has ended, with the error that those get who use it, or goes away, with `nil`.
    ///
    /// - Parameter callback: Called once, in the call that ends the channel, outside every lock.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) {
        self.storage.whenFinished(callback)
    }
}

extension CoChannel: CoCancellable {}
