// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

extension CoChannel {
    /// The half of a channel that can only send.
    ///
    /// When the last one and the channel itself are released, receivers get the remaining elements and then
    /// ``CoChannelError/senderDropped(_:)``. A future given to `sendFuture` counts as a sender.
    ///
    /// Cancellation, isolation, errors and complexity of each member are those of the channel's member of the same
    /// name.
    public final class Sender: Sendable {
        @usableFromInline package let storage: ChannelStorage<Element>

        @usableFromInline
        init(_ storage: ChannelStorage<Element>) {
            self.storage = storage
            storage.addSender()
        }

        deinit { self.storage.removeSender() }

        /// How many elements may wait in the channel.
        public var buffering: BufferingPolicy { self.storage.buffering }

        /// The number of elements that wait in the channel.
        public var count: Int { self.storage.count }

        /// Whether no element waits in the channel.
        public var isEmpty: Bool { self.count == 0 }

        // MARK: Sending

        /// Sends an element, in a task, which is suspended while the channel is full.
        ///
        /// - Parameter element: The element.
        /// - Throws: See ``CoChannel/send(_:)``.
        @inlinable
        public nonisolated(nonsending) func send(_ element: sending Element) async throws {
            // This handle counts, so it must live until the wait is over. The same everywhere below.
            defer { withExtendedLifetime(self) {} }
            try await self.storage.sendOrThrow(Disconnected(unchecked: element))
        }

        /// Sends an element if that is possible at once.
        ///
        /// - Parameter element: The element.
        /// - Returns: Whether it was sent.
        @discardableResult
        @inlinable
        public func offer(_ element: sending Element) -> Bool {
            defer { withExtendedLifetime(self) {} }
            return self.storage.offer(element)
        }

        /// Sends the value of a future, once it has one.
        ///
        /// - Parameter future: The future.
        @inlinable
        public func sendFuture(_ future: CoFuture<Element>) where Element: Sendable {
            defer { withExtendedLifetime(self) {} }
            self.storage.send(future)
        }

        // MARK: The end

        /// Closes the channel: nothing more can be sent, but elements in it can be received.
        ///
        /// - Returns: `false` if it had ended before.
        @discardableResult
        public func close() -> Bool { self.storage.finish(.closed) }

        /// Closes the channel with an error, which receivers get after the elements in it.
        ///
        /// - Parameter error: The error.
        /// - Returns: `false` if it had ended before.
        @discardableResult
        public func close(throwing error: any Error) -> Bool { self.storage.finish(.failed, failure: error) }

        /// Whether nothing more can be sent, because the channel was closed.
        public var isClosed: Bool { self.storage.end?.keepsElements ?? false }

        /// Ends the channel: nothing more can be sent or received.
        public func cancel() { self.storage.finish(.cancelled) }

        /// Whether the channel was cancelled, or all receivers were released.
        public var isCancelled: Bool { self.storage.isCancelled }

        /// Calls a closure when the channel is cancelled; immediately, if it already was.
        ///
        /// - Parameter callback: Called at most once.
        @preconcurrency
        public func whenCancelled(_ callback: @escaping @Sendable () -> Void) { self.storage.whenCancelled(callback) }

        /// Calls a closure when the channel has ended or is released; immediately, if it has already ended.
        ///
        /// - Parameter callback: Called once.
        @preconcurrency
        public func whenComplete(_ callback: @escaping @Sendable () -> Void) {
            self.storage.observe { _ in callback() }
        }

        /// Calls a closure when the channel has ended, with its error, or is released, with `nil`.
        ///
        /// - Parameter callback: Called once.
        @preconcurrency
        public func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) {
            self.storage.whenFinished(callback)
        }
    }
}

extension CoChannel.Sender: CoCancellable {}
