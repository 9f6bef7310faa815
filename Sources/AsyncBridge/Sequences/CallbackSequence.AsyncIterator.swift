// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CallbackSequence {
    /// The iterator's reference to the source: its end is the end of the iteration.
    @usableFromInline
    final class Consumer {
        @usableFromInline let storage: Storage

        // Safe: the iterator, and with it this object, is in one isolation at a time; each access ends within one call of
        // the ring buffer or of the storage, which calls nothing of the user's. Checking costs as much as the element.
        @exclusivity(unchecked) @usableFromInline var lent = RingBuffer<Disconnected<Element>>()

        init(storage: Storage) { self.storage = storage }

        deinit { self.leave() }

        @inlinable
        func take() -> Storage.Machine.TakeAction { unsafe self.storage.take(lending: &self.lent) }

        func leave() { unsafe self.storage.consumerGone(returning: self.lent.removeAll()) }
    }

    /// The iteration of a sequence.
    public struct AsyncIterator: AsyncIteratorProtocol {
        // `nil` for a second consumer, and after the end.
        @usableFromInline var consumer: Consumer?
        private var refusal: BridgeFault?

        init(consumer: Consumer) {
            self.consumer = consumer
            self.refusal = nil
        }

        init(refusedAt made: CallSite) {
            self.consumer = nil
            self.refusal = BridgeFault(.secondConsumer, made: made)
        }

        /// The next element, waiting for it if need be.
        ///
        /// ## Cancellation
        /// Ends the sequence and throws `CancellationError`, or returns `nil` if `Failure` has no room for it.
        ///
        /// - Returns: The element, or `nil` at the end.
        /// - Throws: The source's error, once; then `nil` follows. The end of the sequence is not an error.
        /// - Complexity: O(1).
        @inlinable
        public nonisolated(nonsending) mutating func next() async throws(Failure) -> Element? {
            guard let consumer = self.consumer else { return try self.refuse() }
            while true {
                if CurrentTask.isCancelled { return try self.cancel() }
                // Safe: as `lent`.
                if let element = unsafe consumer.lent.popFirst() { return element.take() }
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

        /// The next element, waiting for it if need be, on a given actor.
        ///
        /// ## Cancellation
        /// Ends the sequence and throws `CancellationError`, or returns `nil` if `Failure` has no room for it.
        ///
        /// - Parameter actor: The actor on which the caller runs.
        /// - Returns: The element, or `nil` at the end.
        /// - Throws: The source's error, once; then `nil` follows. The end of the sequence is not an error.
        /// - Complexity: O(1).
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await self.next()
        }
    }
}

extension CallbackSequence.AsyncIterator {
    /// Ends the iteration as the source wished.
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
        Self.report(refusal)
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
            Misuse(
                kind: .secondConsumer,
                bridge: "CallbackSequence",
                made: fault.made,
                advice: "It gets no elements; the first consumer goes on. Use share(buffering:) for many consumers."
            )
        )
    }

    /// Throws a fault of the bridge if the sequence's errors have room for it.
    private static func fail(_ fault: BridgeFault) throws(Failure) -> Element? {
        if let error = fault as? Failure { throw error }
        return nil
    }
}

@available(*, unavailable)
extension CallbackSequence.AsyncIterator: Sendable {}
