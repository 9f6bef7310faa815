// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// Hands each element to all who have subscribed, each with a buffer and a policy of its own.
///
/// ```swift
/// let prices = CoBroadcast(of: Int.self, current: 100)
/// let screen = prices.subscribe(bufferType: .conflated)
/// let archive = prices.subscribe(bufferType: .unlimited)
///
/// Task { for try await price in screen { print(price) } }
/// prices.offer(101)
/// ```
///
/// A broadcast with a current value gives it to each new subscriber first: with ``CoChannel/BufferType/conflated`` that is
/// "the value as it is now". A subscriber without a buffer does not get it.
///
/// ## Back-pressure
/// A subscriber whose buffer is full holds ``send(_:)`` and ``awaitSend(_:)`` up, for all; ``offer(_:)`` drops the element for that
/// subscriber, counts it in ``droppedCount``, and gives it to `onUndelivered`. Nobody is held up by a conflated or unlimited one.
///
/// ## The end
/// A subscriber leaves by cancelling its receiver, or by letting go of it. ``close()`` lets each take what is in its buffer.
///
/// ## Isolation
/// May be used on any thread. Elements that one party sends arrive in that order; those of several parties arrive in the same
/// order everywhere only if they do not send at the same time.
public final class CoBroadcast<Element: Sendable>: Sendable {
    private struct State {
        var subscribers: [UInt64: CoChannel<Element>.Sender] = [:]
        var nextKey: UInt64 = 0
        var current: Element?
        var isClosed = false
        var droppedCount = 0
    }

    private let state: Mutex<State>
    private let keepsCurrent: Bool
    private let onUndelivered: (@Sendable (sending Element) -> Void)?

    /// Makes a broadcast without a current value.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - onUndelivered: Gets what a subscriber will not receive, once for each such subscriber, outside every lock.
    /// - Complexity: O(1).
    public init(
        of type: Element.Type = Element.self,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil
    ) {
        self.state = Mutex(State())
        self.keepsCurrent = false
        self.onUndelivered = onUndelivered
    }

    /// Makes a broadcast that keeps the newest element, and gives it to each new subscriber first.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - current: The first one.
    ///   - onUndelivered: Gets what a subscriber will not receive, once for each such subscriber, outside every lock.
    /// - Complexity: O(1).
    public init(
        of type: Element.Type = Element.self,
        current: Element,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil
    ) {
        self.state = Mutex(State(current: current))
        self.keepsCurrent = true
        self.onUndelivered = onUndelivered
    }

    // MARK: Receiving

    /// Adds a subscriber, which receives what is sent from now on.
    ///
    /// - Parameters:
    ///   - bufferType: How many elements may wait for it.
    ///   - fileID: The caller's file, for errors.
    ///   - line: The caller's line, for errors.
    /// - Returns: Where the elements arrive. Cancelling or letting go of it ends the subscription.
    /// - Complexity: O(1) amortised.
    public func subscribe(
        bufferType: CoChannel<Element>.BufferType = .unlimited,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CoChannel<Element>.Receiver {
        let made = CallSite(fileID: fileID, line: line)
        let (channel, key) = self.state.withLock { state in
            // With the current value in it from the start: sent later, it might come after a newer one.
            let channel = CoChannel(
                ChannelStorage(
                    bufferType,
                    first: state.current.map { Disconnected(unchecked: $0) },
                    made: made,
                    onUndelivered: self.onUndelivered
                )
            )
            state.nextKey += 1
            if !state.isClosed { state.subscribers[state.nextKey] = channel.sender }
            return (channel, state.nextKey)
        }
        if self.isClosed { channel.close() }
        channel.whenCanceled { [weak self] in self?.remove(key) }
        return channel.receiver
    }

    private func remove(_ key: UInt64) {
        releaseHere(self.state.withLock { $0.subscribers.removeValue(forKey: key) })
    }

    /// The newest element, in a broadcast that keeps it.
    ///
    /// - Complexity: O(1).
    public var current: Element? { self.state.withLock { $0.current } }

    /// The number of subscribers.
    ///
    /// - Complexity: O(1).
    public var subscriberCount: Int { self.state.withLock { $0.subscribers.count } }

    /// How many times ``offer(_:)`` found a subscriber's buffer full.
    ///
    /// - Complexity: O(1).
    public var droppedCount: Int { self.state.withLock { $0.droppedCount } }

    // MARK: Sending

    /// Those who get the next element, the first to come first.
    private func begin(_ element: Element) throws(CoChannelError) -> [CoChannel<Element>.Sender] {
        let (subscribers, replaced) = self.state.withLock { state -> ([CoChannel<Element>.Sender]?, Element?) in
            if state.isClosed { return (nil, nil) }
            let old = state.current
            if self.keepsCurrent { state.current = element }
            return (state.subscribers.sorted { $0.key < $1.key }.map(\.value), old)
        }
        releaseHere(replaced)
        guard let subscribers else { throw .closed }
        return subscribers
    }

    /// Sends an element to all, in async code, and waits for those whose buffer is full.
    ///
    /// ## Cancellation
    /// Ends the wait at once: those who come later in the row do not get the element.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Parameter element: The element.
    /// - Throws: ``CoChannelError/closed``; `CancellationError`. A subscriber that leaves is no error.
    /// - Complexity: O(*n* log *n*) in the number of subscribers.
    public nonisolated(nonsending) func send(_ element: Element) async throws {
        for subscriber in try self.begin(element) {
            do { try await subscriber.send(element) } catch { try self.check(error, of: subscriber) }
        }
    }

    /// Sends an element to all, in a coroutine, and waits for those whose buffer is full.
    ///
    /// ## Cancellation
    /// Ends the wait at once: those who come later in the row do not get the element.
    ///
    /// ## Isolation
    /// The coroutine goes on where it was.
    ///
    /// - Parameter element: The element.
    /// - Throws: ``CoChannelError/closed``; `CancellationError`; ``CoroutineError/outsideCoroutine``. A subscriber that leaves is
    ///   no error.
    /// - Complexity: O(*n* log *n*) in the number of subscribers.
    @available(*, noasync, message: "Use `try await broadcast.send(element)` in async code")
    public func awaitSend(_ element: Element) throws {
        guard Coroutine.isInsideCoroutine else { throw CoroutineError.outsideCoroutine }
        for subscriber in try self.begin(element) {
            do { try subscriber.awaitSend(element) } catch { try self.check(error, of: subscriber) }
        }
    }

    /// Lets the error of a subscriber that has left pass, and no other.
    private func check(_ error: any Error, of subscriber: CoChannel<Element>.Sender) throws {
        if subscriber.isCanceled || subscriber.isClosed { return }
        throw error
    }

    /// Sends an element to all who have room for it.
    ///
    /// - Parameter element: The element.
    /// - Returns: Whether all got it.
    /// - Complexity: O(*n* log *n*) in the number of subscribers.
    @discardableResult
    public func offer(_ element: Element) -> Bool {
        guard let subscribers = try? self.begin(element) else { return false }
        var dropped = 0
        for subscriber in subscribers where !subscriber.offer(element) {
            // One that has left is no drop.
            if subscriber.isCanceled || subscriber.isClosed { continue }
            dropped += 1
            self.onUndelivered?(element)
        }
        if dropped == 0 { return true }
        self.state.withLock { $0.droppedCount += dropped }
        return false
    }

    // MARK: The end

    /// Ends the broadcast: each subscriber takes what is in its buffer, then its loop ends.
    ///
    /// - Returns: False if it had ended before.
    /// - Complexity: O(*n*) in the number of subscribers.
    @discardableResult
    public func close() -> Bool {
        let subscribers = self.state.withLock { state -> [UInt64: CoChannel<Element>.Sender]? in
            if state.isClosed { return nil }
            state.isClosed = true
            defer { state.subscribers = [:] }
            return state.subscribers
        }
        guard let subscribers else { return false }
        for subscriber in subscribers.values { subscriber.close() }
        return true
    }

    /// Whether it was closed.
    ///
    /// - Complexity: O(1).
    public var isClosed: Bool { self.state.withLock { $0.isClosed } }

    deinit { self.close() }
}
