// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Synchronization

extension CallbackSequence {
    /// What became of an element.
    @nonexhaustive
    public enum YieldResult: Sendable {
        /// It will be delivered.
        case accepted

        /// It will be delivered, but the buffer is full.
        ///
        /// ``Sink/onBackPressure(pause:resume:)`` pauses the source, and resumes it. A source that pauses itself, when
        /// it gets this result, is resumed by ``Sink/onDemand(_:)``.
        case acceptedPleasePause

        /// The buffer was full, and its policy dropped an element: this one or an older one.
        case dropped

        /// The sequence has ended; the element went to `onUndelivered`.
        case terminated
    }

    /// The source's end of a sequence.
    ///
    /// May be copied and used on any thread; all copies are one sink. When the last one is released, the sequence ends.
    public struct Sink: Sendable {
        @usableFromInline let owner: Owner

        init(storage: Storage) { self.owner = Owner(storage: storage) }

        /// The sinks' reference to the sequence: its end is that of the last sink.
        @usableFromInline
        final class Owner: Sendable {
            @usableFromInline let storage: Storage

            init(storage: Storage) { self.storage = storage }

            deinit { self.storage.sinkGone() }
        }
    }
}

// MARK: - Elements

extension CallbackSequence.Sink {
    /// Delivers an element, without waiting.
    ///
    /// Elements yielded by one thread keep their order.
    ///
    /// - Parameter element: The element, which leaves the caller's isolation.
    /// - Returns: What became of it.
    /// - Complexity: O(1) amortised.
    @inlinable @inline(never)
    @discardableResult
    public func yield(_ element: sending Element) -> CallbackSequence.YieldResult {
        // Why never: a coroutine may call it on both sides of a wait, and on Linux an inlined lock remembers its
        // thread.
        let storage = self.owner.storage
        let element = Disconnected(unchecked: element)
        switch storage.machine.withLock({ $0.yield(element) }) {
        case .accepted:
            return .accepted
        case .acceptedPleasePause(let pause):
            if let pause { storage.run(pause) }
            return .acceptedPleasePause
        case .resume(let consumer):
            consumer.resume()
            return .accepted
        case .drop(let element, let isFirst):
            storage.drop(element, isFirst: isFirst)
            return .dropped
        case .overflow(let element, let ending):
            storage.overflow(element, ending)
            return .dropped
        case .refuse(let element):
            storage.dispose(of: element)
            return .terminated
        }
    }

    /// Delivers an element, waiting while the buffer is full.
    ///
    /// Waiting senders are served first come, first served, when the buffer has fallen to its low mark; for a `bounded`
    /// buffer that is half its size, and nothing is dropped.
    ///
    /// ## Cancellation
    /// Throws `CancellationError`, and the element goes to `onUndelivered`.
    ///
    /// - Parameter element: The element, which leaves the caller's isolation.
    /// - Returns: Whether the element will be delivered; `false` once the sequence has ended.
    /// - Throws: `CancellationError`. The end of the sequence is not an error.
    /// - Complexity: O(1) amortised, even when waiting senders are cancelled.
    @_alwaysEmitIntoClient
    @discardableResult
    public nonisolated(nonsending) func send(_ element: sending Element) async throws(CancellationError) -> Bool {
        try await self.owner.storage.send(element)
    }

    /// How many elements have been dropped so far.
    public var droppedCount: Int { self.owner.storage.machine.withLock { $0.droppedCount } }

    /// The number of elements that have arrived but were not delivered yet.
    public var bufferedCount: Int { self.owner.storage.bufferedCount }
}

// MARK: - Ends

extension CallbackSequence.Sink {
    /// Ends the sequence after the elements already in it.
    ///
    /// A second end is ignored.
    public func finish() { self.owner.storage.end(.finished) }

    /// Ends the sequence with an error after the elements already in it.
    ///
    /// A second end is ignored.
    ///
    /// - Parameter error: The error, which the consumer gets once.
    public func fail(_ error: Failure) { self.owner.storage.end(.failed(error)) }

    /// Ends the sequence with a fault, which the consumer gets as it gets that of a dropped sink.
    @usableFromInline
    package func end(_ fault: BridgeFault.Code) { self.owner.storage.end(.fault(fault)) }

    /// Ends the sequence with a result.
    ///
    /// - Parameter result: Success to finish, failure to fail.
    public func finish(with result: Result<Void, Failure>) {
        switch result {
        case .success: self.finish()
        case .failure(let error): self.fail(error)
        }
    }

    /// Installs an action that stops the source.
    ///
    /// May be called several times, before and after the end.
    ///
    /// ## Isolation
    /// The action runs exactly once, on the thread on which the end was detected, outside every lock: in a call of
    /// `finish`, in `next()` of a cancelled consumer, or in the `deinit` of the last iterator. After the end it runs at
    /// once. It is the last action of the source: if one of ``onBackPressure(pause:resume:)`` is running at that
    /// moment, this one runs after it, on that thread. No other action starts afterwards.
    ///
    /// - Parameter action: Stops the source; gets the reason.
    public func onTermination(_ action: @escaping @Sendable (SequenceTermination) -> Void) {
        self.owner.storage.install(action)
    }

    /// Installs the actions that pause the source when the buffer is full, and resume it when there is room.
    ///
    /// The actions alternate, beginning with `pause`, and never run at the same time. Whatever the threads of source
    /// and consumer do meanwhile, the last action to run matches the state of the buffer. So a source that fills the
    /// buffer again while `resume` still runs is paused afterwards; the buffer keeps elements that arrive until then.
    /// A pause that the consumer has made needless does not run, so `pause` must do the pausing: a source that does it
    /// after `yield` has returned `acceptedPleasePause` needs ``onDemand(_:)``.
    /// Replaces earlier actions. After the end of the sequence none starts, not even the `resume` after a `pause`: a
    /// source may be torn down while paused.
    ///
    /// ```swift
    /// sink.onBackPressure(pause: { receiver.pause() }, resume: { receiver.resume() })
    /// ```
    ///
    /// ## Isolation
    /// `pause` runs in the call of `yield` that filled the buffer, `resume` in the consumer's `next()`; or in each
    /// other's place, if both are due at once. Both run outside every lock. They must take effect in the order in which
    /// they are called, and must not wait for each other.
    ///
    /// - Parameters:
    ///   - pause: Makes the source pause. Elements that it still delivers are kept.
    ///   - resume: Makes the source continue.
    public func onBackPressure(pause: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void) {
        self.owner.storage.installBackPressure(pause: pause, resume: resume)
    }

    /// Installs the action that resumes a source which pauses itself when ``yield(_:)`` returns `acceptedPleasePause`.
    ///
    /// Such a source never overfills the buffer, while one that is paused by ``onBackPressure(pause:resume:)`` may
    /// deliver a little more. Both calls must take effect in one place, such as the source's queue: the consumer can
    /// have made room, and this action have run, before that `yield` has returned.
    ///
    /// ```swift
    /// sink.onDemand { receiver.queue.async { receiver.resume() } }
    ///
    /// // In the delegate, which is called on that queue:
    /// if sink.yield(location) == .acceptedPleasePause { receiver.pause() }
    /// ```
    ///
    /// Replaces earlier actions, those of `onBackPressure` too. After the end of the sequence it does not run.
    ///
    /// ## Isolation
    /// Runs once, when the buffer has fallen to its low mark after `yield` had asked for a pause: in the consumer's
    /// `next()`, outside every lock. Runs in this call if that has happened before.
    ///
    /// - Parameter action: Makes the source continue.
    public func onDemand(_ action: @escaping @Sendable () -> Void) { self.owner.storage.installDemand(action) }
}
