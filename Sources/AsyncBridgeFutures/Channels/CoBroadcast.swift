// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// Hands each element to all subscribers, each with its own buffer and policy.
///
/// ```swift
/// let prices = CoBroadcast(of: Int.self, current: 100)
/// let screen = prices.subscribe(buffering: .newest(capacity: 1))
/// let archive = prices.subscribe(buffering: .unbounded)
///
/// Task { for try await price in screen { print(price) } }
/// prices.offer(101)
/// ```
///
/// A broadcast with a current element gives it to each new subscriber first. A subscriber that is
/// `.newest(capacity: 1)` then always gets the newest state. One without a buffer does not get the current
/// element.
///
/// ## Order
/// Each element is offered to all subscribers in one step. So all of them get the elements of concurrent
/// senders in the same order, and the last one is ``current``.
///
/// ## Back-pressure
/// A subscriber whose buffer is full makes the senders wait, in ``send(_:)`` and `awaitSend(_:)`, but not the other
/// subscribers: they already have the element. ``offer(_:)`` drops the element for that subscriber, counts it in
/// ``droppedCount``, and gives it to `onUndelivered`. No sender waits for a subscriber that is unbounded, or whose
/// policy drops elements or fails: what it drops goes to `onUndelivered` and is not in ``droppedCount``.
///
/// ## The end
/// A subscriber leaves by cancelling its receiver, or by releasing it. ``close()`` ends the broadcast: each subscriber
/// receives the elements in its buffer, and its loop ends; after ``close(throwing:)`` it gets the error then.
/// ``cancel()`` discards the elements in the buffers. If the broadcast is released without that, its subscribers
/// receive the elements in their buffers, and then get ``CoChannelError/senderDropped(_:)``.
///
/// ## What is not delivered
/// Each element that was sent and that a subscriber will not receive goes to `onUndelivered`, once for each such
/// subscriber: elements that newer ones have replaced, that ``offer(_:)`` drops, or that remain in the buffer of
/// one that leaves; and elements that wait for room when their sender is cancelled, their subscriber leaves, or the
/// broadcast ends. An element that is for no subscriber goes there once: it was sent while there was none, and did not
/// become the current element, or after the end. The ``current`` element itself is released when it is replaced.
///
/// ## Isolation
/// May be used on any thread. No user code is called under a lock.
public final class CoBroadcast<Element: Sendable>: Sendable {
    @usableFromInline package let storage: BroadcastStorage<Element>

    /// Makes a broadcast without a current element.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - onUndelivered: Gets elements that a subscriber will not receive, once for each such subscriber, outside
    ///     every lock.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Complexity: O(1).
    public init(
        of type: Element.Type = Element.self,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.storage = BroadcastStorage(
            current: nil,
            made: CallSite(fileID: fileID, line: line),
            onUndelivered: onUndelivered
        )
    }

    /// Makes a broadcast that keeps the newest element, and gives it to each new subscriber first.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - current: The first current element.
    ///   - onUndelivered: Gets elements that a subscriber will not receive, once for each such subscriber, outside
    ///     every lock.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Complexity: O(1).
    public init(
        of type: Element.Type = Element.self,
        current: Element,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.storage = BroadcastStorage(
            current: current,
            made: CallSite(fileID: fileID, line: line),
            onUndelivered: onUndelivered
        )
    }

    // MARK: Receiving

    /// Adds a subscriber, which receives the elements sent from now on.
    ///
    /// - Parameters:
    ///   - buffering: How many elements may wait for it, and what happens to one more.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The receiver of the elements. Cancelling or releasing it ends the subscription.
    /// - Complexity: O(1) amortised.
    public func subscribe(
        buffering: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CoChannel<Element>.Receiver {
        self.storage.subscribe(buffering, made: CallSite(fileID: fileID, line: line))
    }

    /// The newest element, if the broadcast keeps one; `nil` once it was cancelled.
    ///
    /// - Complexity: O(1).
    public var current: Element? { self.storage.current }

    /// The number of subscribers whose receivers have not left.
    ///
    /// One that has failed by its policy `.failing` is among them until its receiver is cancelled or released.
    ///
    /// - Complexity: O(1).
    public var subscriberCount: Int { self.storage.subscriberCount }

    /// How many times ``offer(_:)`` found a subscriber's buffer full that makes senders wait.
    ///
    /// - Complexity: O(1).
    public var droppedCount: Int { self.storage.droppedCount }

    // MARK: Sending

    /// Sends an element to all subscribers, in async code, and waits for those whose buffer is full.
    ///
    /// All subscribers with room get the element at once. It waits in the queues of the others, and this function waits
    /// for them.
    ///
    /// ## Cancellation
    /// Ends the wait at once: the subscribers that still have no room do not get the element. In a cancelled task it is
    /// still sent to those with room.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Parameter element: The element.
    /// - Throws: ``CoChannelError/closed``, or the error of ``close(throwing:)``, if the broadcast is closed, or was
    ///   closed before all had room; `CancellationError` if the broadcast or the task was cancelled before that. The
    ///   element goes to `onUndelivered` then, for each subscriber that does not get it; once, if the broadcast had
    ///   ended. A subscriber that leaves is not an error, nor is a cancellation once all have the element, nor that
    ///   there are no subscribers.
    /// - Complexity: O(*n*) in the number of subscribers.
    @inlinable
    public nonisolated(nonsending) func send(_ element: Element) async throws {
        var taskWaiter: TaskWaiter<Disconnected<Element>>?
        defer { taskWaiter?.free() }
        let wait = try self.storage.send(element) {
            let made = TaskWaiter<Disconnected<Element>>()
            taskWaiter = made
            return made.waiter
        }
        switch wait {
        case nil:
            return
        case .several(let blocked)?:
            try await blocked.wait()
        case .one(let subscriber)?:
            guard let taskWaiter else { preconditionFailure("BUG: a sender waits without a waiter") }
            await taskWaiter.parker.suspend("CoBroadcast.send", made: self.storage.made)
            if let error = self.storage.end(taskWaiter.waiter, at: subscriber, element) { throw error }
        }
    }

    /// Sends an element to all subscribers that have room for it.
    ///
    /// - Parameter element: The element.
    /// - Returns: `false` if a subscriber that makes senders wait had no room for it, or if the broadcast has ended. In
    ///   an ended one the caller keeps the element: it does not go to `onUndelivered`. What a subscriber's own policy
    ///   drops does not count here.
    /// - Complexity: O(*n*) in the number of subscribers.
    @discardableResult
    @inlinable
    public func offer(_ element: Element) -> Bool { self.storage.offer(element) }

    // MARK: The end

    /// Ends the broadcast: each subscriber receives the elements in its buffer, then its loop ends.
    ///
    /// A waiting sender gets ``CoChannelError/closed``; its element goes to `onUndelivered`, once for each subscriber
    /// that has not taken it.
    ///
    /// - Returns: `false` if it had ended before.
    /// - Complexity: O(*n*) in the number of subscribers and of the elements that wait for room.
    @discardableResult
    public func close() -> Bool { self.storage.finish(.closed) }

    /// Ends the broadcast with an error: each subscriber receives the elements in its buffer, and then gets the error.
    ///
    /// ```swift
    /// sensor.onFailure { error in readings.close(throwing: error) }
    /// ```
    ///
    /// A waiting sender gets it at once; its element goes to `onUndelivered`, once for each subscriber that has not
    /// taken it.
    ///
    /// - Parameter error: The error.
    /// - Returns: `false` if it had ended before.
    /// - Complexity: O(*n*) in the number of subscribers and of the elements that wait for room.
    @discardableResult
    public func close(throwing error: any Error) -> Bool { self.storage.finish(.failed(error)) }

    /// Whether it was closed, with an error or without.
    ///
    /// - Complexity: O(1).
    public var isClosed: Bool {
        switch self.storage.end {
        case .closed, .failed: true
        case .cancelled, nil: false
        }
    }

    /// Ends the broadcast: the elements in the buffers of its subscribers go to `onUndelivered`.
    ///
    /// Subscribers and waiting senders get `CancellationError`. A broadcast that is closed can still be cancelled; who
    /// waited until it was closed is told of that.
    ///
    /// - Complexity: O(*n*) in the number of subscribers and of the elements.
    public func cancel() { _ = self.storage.finish(.cancelled) }

    /// Whether it was cancelled.
    ///
    /// - Complexity: O(1).
    public var isCancelled: Bool {
        switch self.storage.end {
        case .cancelled: true
        case .closed, .failed, nil: false
        }
    }
}
