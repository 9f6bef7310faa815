// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

extension CoChannel {
    /// The half of a channel that can only receive.
    ///
    /// When the last one and the channel itself are released, senders get ``CoChannelError/receiverDropped(_:)``, and
    /// the elements in the channel go to `onUndelivered`. A waiting iterator, callback or future counts as one.
    ///
    /// Cancellation, isolation, errors and complexity of each member are those of the channel's member of the same
    /// name.
    @safe
    public final class Receiver: Sendable {
        /// The channel; none if the elements of another receiver are mapped.
        @usableFromInline let storage: ChannelStorage<Element>?
        @usableFromInline let source: ReceiverSource<Element>?

        /// The same, not counted, for code that runs for each element: counting takes as long as the rest of it.
        ///
        /// Safe: the two above keep them alive, and each function keeps this handle.
        @usableFromInline let uncountedStorage: Unmanaged<ChannelStorage<Element>>?
        @usableFromInline let uncountedSource: Unmanaged<ReceiverSource<Element>>?

        init(_ storage: ChannelStorage<Element>) {
            self.storage = storage
            self.source = nil
            unsafe self.uncountedStorage = .passUnretained(storage)
            unsafe self.uncountedSource = nil
            storage.addReceiver()
        }

        @usableFromInline
        init(from source: ReceiverSource<Element>) {
            self.storage = nil
            self.source = source
            unsafe self.uncountedStorage = nil
            unsafe self.uncountedSource = .passUnretained(source)
        }

        deinit { self.storage?.removeReceiver() }

        @inlinable var mapped: ReceiverSource<Element> { unsafe self.uncountedMapped.takeUnretainedValue() }

        @inlinable @inline(__always) var uncountedMapped: Unmanaged<ReceiverSource<Element>> {
            guard let source = unsafe self.uncountedSource else {
                preconditionFailure("BUG: a receiver without a channel")
            }
            return unsafe source
        }

        /// How many elements may wait in the channel.
        public var buffering: BufferingPolicy { self.storage?.buffering ?? self.mapped.buffering }

        /// The number of elements that wait in the channel.
        public var count: Int { self.storage?.count ?? self.mapped.count }

        /// Whether no element waits in the channel.
        public var isEmpty: Bool { self.count == 0 }

        /// Where the channel was made.
        package var made: CallSite { self.storage?.made ?? self.mapped.made }

        // MARK: Receiving

        /// Receives the next element, in a task, which is suspended while there is none.
        ///
        /// - Returns: The element.
        /// - Throws: See ``CoChannel/receive()``.
        @inlinable
        public nonisolated(nonsending) func receive() async throws -> sending Element {
            // This handle counts, so it must live until the wait is over. The same everywhere below.
            defer { withExtendedLifetime(self) {} }
            if let element = self.poll() { return element }
            guard let storage = self.storage else {
                guard let received = try await self.mapped.receiveNext() else { throw CoChannelError.closed }
                return received
            }
            return try await storage.receiveOrThrow()
        }

        @inlinable
        nonisolated(nonsending) func receiveNext() async throws -> sending Element? {
            defer { withExtendedLifetime(self) {} }
            guard let storage = self.storage else { return try await self.mapped.receiveNext() }
            return try await storage.receiveNext()
        }

        /// Receives the next element, in a coroutine.
        @inlinable @inline(__always)
        package func awaitReceive(
            as parker: ParkerReference?,
            _ suspension: ChannelSuspension
        ) throws -> sending Element {
            defer { withExtendedLifetime(self) {} }
            guard let storage = unsafe self.uncountedStorage else {
                return try unsafe self.uncountedMapped._withUnsafeGuaranteedRef {
                    try $0.awaitReceive(parker, suspension)
                }
            }
            return try unsafe storage._withUnsafeGuaranteedRef { try $0.awaitReceive(as: parker, suspension) }
        }

        /// Receives the next element if there is one.
        ///
        /// - Returns: The element; `nil` if there is none, or the channel has ended.
        @inlinable @inline(__always)
        public func poll() -> sending Element? {
            defer { withExtendedLifetime(self) {} }
            guard let storage = unsafe self.uncountedStorage else {
                return unsafe self.uncountedMapped._withUnsafeGuaranteedRef { $0.poll() }
            }
            return unsafe storage._withUnsafeGuaranteedRef { $0.poll() }
        }

        /// Calls a closure with the next element, or with the error with which the channel has ended.
        ///
        /// - Parameter callback: Called once.
        @preconcurrency
        @inlinable
        public func whenReceive(_ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void) {
            self.whenReceive(for: nil, callback)
        }

        /// See the storage's function of that name.
        @inlinable @discardableResult
        func whenReceive(
            for future: AnyCoFuture?,
            _ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void
        ) -> ChannelCallback? {
            defer { withExtendedLifetime(self) {} }
            guard let storage = self.storage else { return self.mapped.whenReceive(future, callback) }
            return storage.whenReceive(for: future, callback)
        }

        /// The next element as a future.
        ///
        /// - Returns: The future; cancelling it leaves the channel's queue.
        @inlinable
        public func receiveFuture() -> CoFuture<Element> where Element: Sendable {
            self.storage?.receiveFuture()
                ?? ReceivingFuture(onUndelivered: self.mapped.giveBack) { self.mapped.whenReceive($0, $1) }
        }

        /// A handle that receives the elements transformed by a closure.
        ///
        /// It keeps this handle alive. An element that the closure got counts as delivered, even if the future with its
        /// result is never read: it does not go to `onUndelivered`.
        ///
        /// Each such handle of a handle makes the receiving call one call deeper. So it is for a few closures: some
        /// hundreds fill the stack of a coroutine.
        ///
        /// - Parameter transform: Called by the receiving code, outside every lock.
        /// - Returns: The handle.
        @preconcurrency
        @inlinable
        public func map<NewElement>(
            _ transform: @escaping @Sendable (sending Element) -> sending NewElement
        ) -> CoChannel<NewElement>.Receiver {
            CoChannel<NewElement>.Receiver(from: MappedSource(self, transform))
        }

        /// A handle whose elements pass a closure that returns them as they are.
        ///
        /// - Parameters:
        ///   - giveBack: Gets, after `pass`, an element that nobody gets: that of a future which is released unread,
        ///     or of an iterator whose coroutine is unwound.
        ///   - pass: Called by the receiving code, outside every lock.
        /// - Returns: The handle.
        @inlinable
        package func passing(
            givingBack giveBack: (@Sendable (sending Element) -> Void)?,
            _ pass: @escaping @Sendable (sending Element) -> sending Element
        ) -> CoChannel<Element>.Receiver {
            CoChannel<Element>.Receiver(from: MappedSource(self, pass, givingBack: giveBack))
        }

        /// A branch that receives, of whatever kind the handle is.
        @usableFromInline
        func selectBranch<Output>(
            _ then: @escaping (Result<Element, any Error>) throws -> Output
        ) -> SelectBranch<Output> {
            guard let storage = self.storage else { return self.mapped.selectBranch(then) }
            return SelectBranch(resultFrom: storage, keeping: self, then)
        }

        /// The number of elements that wait in the channel; nothing if a receiver waits, to which no element is on its
        /// way.
        ///
        /// For bridges to transports; not for mapped receivers.
        package var countUnlessAwaited: Int? { self.storage?.countUnlessAwaited }

        // MARK: The end

        var end: ChannelEnd? {
            guard let storage = self.storage else { return self.mapped.end }
            return storage.end
        }

        /// Whether the channel has ended, and nothing is left in it: then its end is the end of a cancelled loop, too.
        @usableFromInline package var isExhausted: Bool { self.end != nil && self.isEmpty }

        /// Whether nothing more can be sent: the channel was closed, or all senders were released.
        public var isClosed: Bool { self.end?.keepsElements ?? false }

        /// Refuses what is sent from now on, with an error; the elements in the channel are undelivered.
        ///
        /// For bridges to transports: only the side that receives knows that the peer is gone.
        ///
        /// - Parameter error: The error that senders get.
        package func refuse(throwing error: any Error) { self.storage?.finish(.refused, failure: error) }

        /// Refuses what is sent from now on, with an error; the elements in the channel can be received.
        ///
        /// For bridges to transports.
        ///
        /// - Parameter error: The error that senders get.
        package func close(throwing error: any Error) { self.storage?.finish(.failed, failure: error) }

        /// Calls a closure when the channel has ended, or is released; not for mapped receivers.
        ///
        /// For bridges to transports. Why not ``whenFinished(_:)``: it refers to the channel weakly, and then each
        /// count of its references takes the runtime's slow path, for each element.
        ///
        /// - Parameter callback: Called once.
        package func whenEnded(_ callback: @escaping @Sendable () -> Void) { self.storage?.observe { _ in callback() } }

        /// Ends the channel: nothing more can be sent or received.
        public func cancel() {
            guard let storage = self.storage else { return self.mapped.cancel() }
            storage.finish(.cancelled)
        }

        /// Whether the channel was cancelled.
        public var isCancelled: Bool { self.end.map { !$0.keepsElements } ?? false }

        /// Calls a closure when the channel is cancelled; immediately, if it already was.
        ///
        /// - Parameter callback: Called at most once.
        @preconcurrency
        public func whenCancelled(_ callback: @escaping @Sendable () -> Void) {
            guard let storage = self.storage else { return self.mapped.whenCancelled(callback) }
            storage.whenCancelled(callback)
        }

        /// Calls a closure when the channel has ended, with its error, or is released, with `nil`.
        ///
        /// - Parameter callback: Called once.
        @preconcurrency
        public func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) {
            guard let storage = self.storage else { return self.mapped.whenFinished(callback) }
            storage.whenFinished(callback)
        }

        /// Calls a closure when the channel has ended or is released; immediately, if it has already ended.
        ///
        /// - Parameter callback: Called once.
        @preconcurrency
        public func whenComplete(_ callback: @escaping @Sendable () -> Void) { self.whenFinished { _ in callback() } }
    }
}

extension CoChannel.Receiver: CoCancellable {}

extension CoChannel.Receiver: AsyncSequence {
    /// Receives elements, one after another, until the channel has ended.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let receiver: CoChannel.Receiver
        /// Whether it has thrown: then it has no more elements.
        @usableFromInline var isOver = false

        init(_ receiver: CoChannel.Receiver) { self.receiver = receiver }

        /// Receives the next element.
        ///
        /// ## Cancellation
        /// Ends the iteration, even if there are elements: they stay in the channel. If the channel has already ended,
        /// and nothing is left in it, its own end comes instead.
        ///
        /// - Returns: The element; `nil` if the channel was closed, and after an error.
        /// - Throws: ``CoChannelError/senderDropped(_:)``; the error of ``CoChannel/close(throwing:)``;
        ///   `CancellationError` if the task or the channel was cancelled.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> sending Element? {
            if self.isOver { return nil }
            if CurrentTask.isCancelled, !self.receiver.isExhausted {
                self.isOver = true
                throw CancellationError()
            }
            // An available element needs no call of an async function, which costs more than the rest.
            if let element = self.receiver.poll() { return element }
            do { return try await self.receiver.receiveNext() } catch {
                self.isOver = true
                throw error
            }
        }

        /// Receives the next element.
        ///
        /// ## Cancellation
        /// Ends the iteration, even if there are elements: they stay in the channel. If the channel has already ended,
        /// and nothing is left in it, its own end comes instead.
        ///
        /// - Returns: The element; `nil` if the channel was closed, and after an error.
        /// - Throws: ``CoChannelError/senderDropped(_:)``; the error of ``CoChannel/close(throwing:)``;
        ///   `CancellationError` if the task or the channel was cancelled.
        @inlinable
        public nonisolated(nonsending) mutating func next() async throws -> sending Element? {
            if self.isOver { return nil }
            if CurrentTask.isCancelled, !self.receiver.isExhausted {
                self.isOver = true
                throw CancellationError()
            }
            // An available element needs no call of an async function, which costs more than the rest.
            if let element = self.receiver.poll() { return element }
            do { return try await self.receiver.receiveNext() } catch {
                self.isOver = true
                throw error
            }
        }
    }

    /// Makes an iterator; several iterators share the elements between them.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
