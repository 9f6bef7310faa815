// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension CoChannel {
    /// The half of a channel that can only receive.
    ///
    /// When the last one goes away, and the channel itself, those who send get ``CoChannelError/receiverDropped(_:)``, and
    /// what is in the channel is undelivered.
    ///
    /// Cancellation, isolation, errors and complexity of each member are those of the channel's member of that name.
    ///
    /// Safe: its subclasses, all of this module, have constant properties of Sendable types.
    public class Receiver: @unchecked Sendable {
        init() {}

        /// How many elements may wait in the channel.
        public var bufferType: BufferType { self.missing() }

        /// The number of elements that wait in the channel.
        public var count: Int { self.missing() }

        /// Whether no element waits in the channel.
        public final var isEmpty: Bool { self.count == 0 }

        // MARK: Receiving

        /// Receives the next element, in a coroutine, which is suspended while there is none.
        ///
        /// - Returns: The element.
        /// - Throws: See ``CoChannel/awaitReceive()``.
        @available(*, noasync, message: "Use `try await receiver.receive()` in async code")
        public func awaitReceive() throws -> sending Element { self.missing() }

        /// Receives the next element, in a task, which is suspended while there is none.
        ///
        /// - Returns: The element.
        /// - Throws: See ``CoChannel/receive()``.
        public final nonisolated(nonsending) func receive() async throws -> sending Element {
            let received = try await self.receiveNext()
            guard let received else { throw CoChannelError.closed }
            return received
        }

        nonisolated(nonsending) func receiveNext() async throws -> sending Element? { self.missing() }

        /// Receives the next element if there is one.
        ///
        /// - Returns: The element; nothing if there is none, or the channel has ended.
        public func poll() -> sending Element? { self.missing() }

        /// Calls a closure with the next element, or with the error with which the channel has ended.
        ///
        /// - Parameter callback: Called once.
        @preconcurrency
        public final func whenReceive(_ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void) {
            self.receiveOnce(callback)
        }

        @discardableResult
        func receiveOnce(
            _ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void
        ) -> @Sendable () -> Void {
            self.missing()
        }

        /// The next element as a future.
        ///
        /// - Returns: The future; cancelling it gives the place in the channel up.
        public final func receiveFuture() -> CoFuture<Element> where Element: Sendable {
            CoFuture(receiving: { self.receiveOnce($0) })
        }

        /// The elements to come, for a loop in a coroutine; outside a coroutine those that are there.
        ///
        /// - Returns: An iterator, which is a sequence as well.
        public func makeIterator() -> AnyIterator<Element> { self.missing() }

        /// A handle that receives what a closure makes of each element.
        ///
        /// It keeps this one.
        ///
        /// - Parameter transform: Called by whoever receives, outside every lock.
        /// - Returns: The handle.
        @preconcurrency
        public final func map<NewElement>(
            _ transform: @escaping @Sendable (sending Element) -> sending NewElement
        ) -> CoChannel<NewElement>.Receiver {
            MappedReceiver(self, transform)
        }

        func selectCase<Output>(
            _ handler: @escaping (Result<Element, any Error>) throws -> Output
        ) -> SelectCase<Output> {
            self.missing()
        }

        // MARK: The end

        var end: ChannelEnd? { self.missing() }

        /// Whether nothing more can be sent because the channel was closed, or nobody is left who could.
        public final var isClosed: Bool { self.end?.keepsElements ?? false }

        /// Ends the channel: nothing more can be sent or received.
        public func cancel() { self.missing() }

        /// Whether the channel was cancelled.
        public final var isCanceled: Bool { self.end.map { !$0.keepsElements } ?? false }

        /// Calls a closure when the channel is cancelled; now, if it was.
        ///
        /// - Parameter callback: Called at most once.
        @preconcurrency
        public func whenCanceled(_ callback: @escaping @Sendable () -> Void) { self.missing() }

        /// Calls a closure when the channel has ended, with its error, or goes away, with `nil`.
        ///
        /// - Parameter callback: Called once.
        @preconcurrency
        public func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) { self.missing() }

        /// Calls a closure when the channel has ended or goes away; now, if it has.
        ///
        /// - Parameter callback: Called once.
        @preconcurrency
        public final func whenComplete(_ callback: @escaping @Sendable () -> Void) {
            self.whenFinished { _ in callback() }
        }

        private func missing() -> Never { preconditionFailure("BUG: a receiver of no kind") }
    }
}

extension CoChannel.Receiver: CoCancellable {}

extension CoChannel.Receiver: AsyncSequence {
    /// Receives, one element after the other, until the channel has ended.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let receiver: CoChannel.Receiver

        /// Receives the next element.
        ///
        /// - Returns: The element; nothing if the channel was closed.
        /// - Throws: ``CoChannelError/senderDropped(_:)``; `CancellationError` if the task or the channel was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> sending Element? {
            try await self.receiver.receiveNext()
        }

        /// Receives the next element.
        ///
        /// - Returns: The element; nothing if the channel was closed.
        /// - Throws: ``CoChannelError/senderDropped(_:)``; `CancellationError` if the task or the channel was cancelled.
        public nonisolated(nonsending) mutating func next() async throws -> sending Element? {
            try await self.receiver.receiveNext()
        }
    }

    /// Makes an iterator; several share the elements between them.
    public final func makeAsyncIterator() -> AsyncIterator { AsyncIterator(receiver: self) }
}

/// Receives from a channel.
final class DirectReceiver<Element>: CoChannel<Element>.Receiver, @unchecked Sendable {
    private let storage: ChannelStorage<Element>

    init(_ storage: ChannelStorage<Element>) {
        self.storage = storage
        super.init()
        storage.addReceiver()
    }

    deinit { self.storage.removeReceiver() }

    override var bufferType: CoChannel<Element>.BufferType { self.storage.bufferType }
    override var count: Int { self.storage.count }
    override func awaitReceive() throws -> sending Element { try self.storage.awaitReceive() }
    override nonisolated(nonsending) func receiveNext() async throws -> sending Element? {
        try await self.storage.receiveNext()
    }
    override func poll() -> sending Element? { self.storage.poll() }
    override func receiveOnce(
        _ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void
    ) -> @Sendable () -> Void {
        self.storage.whenReceive(callback)
    }
    override func makeIterator() -> AnyIterator<Element> { self.storage.makeIterator() }
    override func selectCase<Output>(
        _ handler: @escaping (Result<Element, any Error>) throws -> Output
    ) -> SelectCase<Output> {
        ReceiveCase(from: self.storage, keeping: self, handler)
    }
    override var end: ChannelEnd? { self.storage.end }
    override func cancel() { self.storage.finish(.cancelled) }
    override func whenCanceled(_ callback: @escaping @Sendable () -> Void) { self.storage.whenCanceled(callback) }
    override func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) {
        self.storage.whenFinished(callback)
    }
}

/// Receives what a closure makes of the elements of another receiver.
final class MappedReceiver<Input, Output>: CoChannel<Output>.Receiver, @unchecked Sendable {
    private let source: CoChannel<Input>.Receiver
    private let transform: @Sendable (sending Input) -> sending Output

    init(_ source: CoChannel<Input>.Receiver, _ transform: @escaping @Sendable (sending Input) -> sending Output) {
        self.source = source
        self.transform = transform
        super.init()
    }

    override var bufferType: CoChannel<Output>.BufferType {
        switch self.source.bufferType {
        case .none: .none
        case .buffered(let capacity): .buffered(capacity: capacity)
        case .unlimited: .unlimited
        case .conflated: .conflated
        }
    }
    override var count: Int { self.source.count }
    override func awaitReceive() throws -> sending Output { self.transform(try self.source.awaitReceive()) }
    override nonisolated(nonsending) func receiveNext() async throws -> sending Output? {
        guard let element = try await self.source.receiveNext() else { return nil }
        return self.transform(element)
    }
    override func poll() -> sending Output? {
        guard let element = self.source.poll() else { return nil }
        return self.transform(element)
    }
    override func receiveOnce(
        _ callback: @escaping @Sendable (sending Result<Output, any Error>) -> Void
    ) -> @Sendable () -> Void {
        let transform = self.transform
        return self.source.receiveOnce { result in
            switch result {
            case .success(let element): callback(.success(transform(element)))
            case .failure(let error): callback(.failure(error))
            }
        }
    }
    override func makeIterator() -> AnyIterator<Output> {
        let elements = self.source.makeIterator()
        return AnyIterator {
            guard let element = elements.next() else { return nil }
            // Safe: the iterator has received it, and nobody else has it.
            return self.transform(Disconnected(unchecked: element).take())
        }
    }
    override func selectCase<NewOutput>(
        _ handler: @escaping (Result<Output, any Error>) throws -> NewOutput
    ) -> SelectCase<NewOutput> {
        self.source.selectCase { [transform] result in
            // Safe: the selection has received the element, and nobody else has it.
            try handler(result.map { transform(Disconnected(unchecked: $0).take()) })
        }
    }
    override var end: ChannelEnd? { self.source.end }
    override func cancel() { self.source.cancel() }
    override func whenCanceled(_ callback: @escaping @Sendable () -> Void) { self.source.whenCanceled(callback) }
    override func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) {
        self.source.whenFinished(callback)
    }
}
