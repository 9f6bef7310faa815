// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Synchronization

extension CallbackSequence {
    /// The iterator's reference to the source: its end is the end of the iteration.
    @usableFromInline
    final class Consumer {
        @usableFromInline let storage: Storage

        // Safe: the iterator, and with it this object, is in one isolation at a time; each access ends within one call
        // of the ring buffer or of the storage, which calls no user code. Checking costs as much as the
        // element.
        @exclusivity(unchecked) @usableFromInline var batch = RingBuffer<Disconnected<Element>>()

        init(storage: Storage) { self.storage = storage }

        deinit { self.leave() }

        @_alwaysEmitIntoClient
        func take() -> Storage.Machine.TakeAction { unsafe self.storage.take(batch: &self.batch) }

        /// The next element of the batch, without the lock.
        @_alwaysEmitIntoClient
        func takeFromBatch() -> Disconnected<Element>? {
            // Safe: as `batch`.
            guard let element = unsafe self.batch.popFirst() else { return nil }
            unsafe self.storage.undeliveredCount.store(self.batch.count, ordering: .relaxed)
            return element
        }

        /// The end of the source, if it has ended and everything was delivered.
        func takeEndIfNothingIsLeft() -> Storage.Machine.End? {
            // Safe: as `batch`.
            guard unsafe self.batch.isEmpty else { return nil }
            return self.storage.machine.withLock { $0.takeEndIfNothingIsLeft() }
        }

        func leave() { unsafe self.storage.consumerGone(returning: self.batch.removeAll()) }
    }

    /// The iteration of a sequence.
    public struct AsyncIterator: AsyncIteratorProtocol {
        // `nil` if the consumer was refused, and after the end.
        @usableFromInline var consumer: Consumer?
        private var refusal: BridgeFault?
        /// Whether the iteration ended because its task was cancelled.
        private(set) var wasCancelled = false

        init(consumer: Consumer) {
            self.consumer = consumer
            self.refusal = nil
        }

        /// Whether no element will come any more: the consumer was refused, or has seen the end.
        package var isOver: Bool { self.consumer == nil }

        /// An iteration that ends at once: with a fault, or quietly.
        init(refusedWith refusal: BridgeFault?) {
            self.consumer = nil
            self.refusal = refusal
        }

        /// The next element, waiting for it if necessary.
        ///
        /// ## Cancellation
        /// Ends the sequence and throws `CancellationError`, or returns `nil` if `Failure` cannot express it. If the
        /// source had already ended, and all its elements were delivered, the source's own end comes instead.
        ///
        /// - Returns: The element, or `nil` at the end.
        /// - Throws: The source's error, once; then `nil` follows. The end of the sequence is not an error.
        /// - Complexity: O(1).
        @_alwaysEmitIntoClient
        public nonisolated(nonsending) mutating func next() async throws(Failure) -> Element? {
            guard let consumer = self.consumer else { return try self.refuse() }
            while true {
                if CurrentTask.isCancelled { return try self.cancel() }
                if let element = consumer.takeFromBatch() { return element.take() }
                switch consumer.take() {
                case .element(let element):
                    return element.take()
                case .elementAndDemand(let element, let wake):
                    consumer.storage.finish(wake)
                    return element.take()
                case .end(let end):
                    return try self.end(end)
                case .empty:
                    if await !consumer.storage.park() { return try self.refuseParking() }
                }
            }
        }

        /// The next element, waiting for it if necessary, on a given actor.
        ///
        /// ## Cancellation
        /// Ends the sequence and throws `CancellationError`, or returns `nil` if `Failure` cannot express it. If the
        /// source had already ended, and all its elements were delivered, the source's own end comes instead.
        ///
        /// - Parameter actor: The actor on which the caller runs.
        /// - Returns: The element, or `nil` at the end.
        /// - Throws: The source's error, once; then `nil` follows. The end of the sequence is not an error.
        /// - Complexity: O(1).
        @_alwaysEmitIntoClient
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await self.next()
        }
    }
}

extension CallbackSequence.AsyncIterator {
    /// Ends the iteration as the source asked.
    @usableFromInline
    mutating func end(_ end: SequenceStateMachine<Disconnected<Element>, Failure>.End) throws(Failure) -> Element? {
        let made = self.consumer?.storage.made
        self.consumer = nil
        switch end {
        case .finished:
            return nil
        case .failed(let error):
            throw error
        case .fault(let code):
            guard let made else { return nil }
            return try Self.fail(BridgeFault(code, made: made))
        }
    }

    @usableFromInline
    mutating func cancel() throws(Failure) -> Element? {
        // The first end counts: nothing was lost to the cancellation.
        if let end = self.consumer?.takeEndIfNothingIsLeft() { return try self.end(end) }
        self.wasCancelled = true
        // Not left to the consumer's `deinit`, which waits for all copies of the iterator.
        self.consumer?.leave()
        self.consumer = nil
        if let error = CancellationError() as? Failure { throw error }
        return nil
    }

    @usableFromInline
    mutating func refuse() throws(Failure) -> Element? {
        guard let refusal = self.refusal else { return nil }
        self.refusal = nil
        if refusal.code == .consumerLeft { Self.reportConsumerLeft(refusal) } else { Self.report(refusal) }
        return try Self.fail(refusal)
    }

    /// Two copies of one iterator are waiting at once.
    @usableFromInline
    mutating func refuseParking() throws(Failure) -> Element? {
        guard let made = self.consumer?.storage.made else { return nil }
        let fault = BridgeFault(.secondConsumer, made: made)
        Self.report(fault)
        return try Self.fail(fault)
    }

    private static func report(_ fault: BridgeFault) {
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .secondConsumer,
                bridge: "CallbackSequence",
                made: fault.made,
                advice: """
                    It gets no elements; the first consumer still has its iterator. Use share(buffering:) for many \
                    consumers. If the first one was a loop in main.swift, outside any function, move it into a \
                    function: there its iterator lives as long as the program.
                    """
            )
        )
    }

    private static func reportConsumerLeft(_ fault: BridgeFault) {
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .consumerLeft,
                bridge: "CallbackSequence",
                made: fault.made,
                advice: "An earlier loop was left or cancelled, which stopped the source; the new one gets no "
                    + "elements. To take the first and then the rest, make one iterator and call next() on it. For "
                    + "loops that come and go, use share(buffering:) once and loop over what it returns."
            )
        )
    }

    /// Throws a fault of the bridge if the sequence's error type can express it.
    private static func fail(_ fault: BridgeFault) throws(Failure) -> Element? {
        if let error = fault as? Failure { throw error }
        return nil
    }
}

/// An iterator that knows whether it ended because its task was cancelled, which a `nil` alone does not show.
protocol CancellationTellingIterator {
    var wasCancelled: Bool { get }
}

extension CallbackSequence.AsyncIterator: CancellationTellingIterator {}

@available(*, unavailable)
extension CallbackSequence.AsyncIterator: Sendable {}
