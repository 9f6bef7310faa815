// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// A sequence of the elements that an API delivers by calling back again and again.
///
/// *Cold*: the sequence has a builder, which starts the source anew for each iteration and returns a closure that stops
/// it.
///
/// ```swift
/// let locations = CallbackSequence<Location, any Error> { sink in
///     let watch = receiver.watch(onFix: sink.handler(), onError: sink.errorHandler())
///     return { watch.stop() }
/// }
/// for try await location in locations { show(location) }
/// ```
///
/// *Hot*: the source already has the sink when the sequence is made, as a delegate does. See
/// ``makeSequence(of:throwing:buffering:onUndelivered:fileID:line:)``.
///
/// ## Ends
/// The first end wins: finish or fail by the source, cancellation of the consumer, leaving the loop, or dropping
/// iterator or sequence. The source is stopped exactly once, by the builder's closure and by each action of
/// ``Sink/onTermination(_:)``. When the source ends, the elements in the buffer are delivered first. When the last sink
/// is released before that, the sequence ends with ``BridgeFault/Code-swift.struct/sinkDropped``.
///
/// ## One consumer
/// Each iteration of a cold sequence has its own source. A hot sequence is for one consumer: a second one gets
/// ``BridgeFault/Code-swift.struct/secondConsumer``, and the first continues undisturbed. For many consumers use
/// `share(buffering:)`.
///
/// ## Leaving a loop
/// Leaving the loop over a hot sequence ends the sequence as well: its source is stopped, the elements in the buffer go
/// to `onUndelivered`, and a later loop gets ``BridgeFault/Code-swift.struct/consumerLeft``. `AsyncStream` differs: if
/// the owner of the source keeps the stream, as a delegate does, the source keeps running after the loop, and its
/// buffer grows. To take the first element and then the rest, keep the iterator, which loses nothing between its calls:
///
/// ```swift
/// var fixes = feed.locations.makeAsyncIterator()
/// guard let start = try await fixes.next() else { return }
/// show(start)
/// while let location = try await fixes.next() { show(location) }
/// ```
///
/// For loops that come and go use `share(buffering:)`, which keeps a hot sequence open between them. Once a loop has
/// seen the end of the source, a later loop ends at once. In main.swift, outside any function, a loop keeps its
/// iterator until the program ends: leaving it there stops nothing. Write such a loop in a function.
///
/// ## Cancellation
/// Cancelling the consumer's task ends the sequence: `next()` throws `CancellationError`. In a task already cancelled
/// the source is not started.
///
/// ## Errors
/// If the failure type cannot express `CancellationError` or ``BridgeFault``, `next()` returns `nil` instead, and a
/// fault is reported to ``BridgeDiagnostics``.
///
/// ## Isolation
/// The builder runs synchronously in the call that makes the iterator. Sinks may be used on any thread.
public struct CallbackSequence<Element, Failure: Error>: Sendable {
    @usableFromInline typealias Storage = SequenceStorage<Element, Failure>

    private enum Source: Sendable {
        case cold(@Sendable () -> AsyncIterator)
        case hot(HotSequence)
    }

    private let source: Source

    /// Whether this is a hot sequence.
    var isIterableOnce: Bool {
        switch self.source {
        case .cold: false
        case .hot: true
        }
    }

    /// The sequence's reference to its source: when it is released, a sequence without a consumer ends.
    private final class HotSequence: Sendable {
        let storage: Storage

        init(storage: Storage) { self.storage = storage }

        deinit { self.storage.sequenceGone() }
    }
}

// MARK: - Making one

extension CallbackSequence {
    /// Makes a cold sequence from a builder that returns a closure to stop its source.
    ///
    /// To know why the source is stopped, or to set its teardown while it starts, call ``Sink/onTermination(_:)`` in
    /// the builder, and return `{}`.
    ///
    /// - Parameters:
    ///   - buffering: What happens to elements that arrive faster than they are consumed.
    ///   - onUndelivered: Gets each element that was dropped or never consumed.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - build: Starts a source for one iteration, and returns its teardown, which runs once, on the thread on which
    ///     the end was detected, and outside every lock.
    public init(
        buffering: BufferingPolicy = .unbounded,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ build: @escaping @Sendable (Sink) -> @Sendable () -> Void
    ) {
        self.init(buffering, onUndelivered, CallSite(fileID: fileID, line: line)) { sink in
            let teardown = build(sink)
            sink.onTermination { _ in teardown() }
        }
    }

    /// Makes a cold sequence from a builder that installs its teardown with ``Sink/onTermination(_:)``.
    @usableFromInline
    package static func starting(
        buffering: BufferingPolicy = .unbounded,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: @escaping @Sendable (Sink) -> Void
    ) -> CallbackSequence {
        CallbackSequence(buffering, onUndelivered, CallSite(fileID: fileID, line: line), start)
    }

    private init(
        _ buffering: BufferingPolicy,
        _ onUndelivered: (@Sendable (sending Element) -> Void)?,
        _ made: CallSite,
        _ start: @escaping @Sendable (Sink) -> Void
    ) {
        buffering.check(made)
        self.source = .cold {
            let storage = Storage(policy: buffering, made: made, onUndelivered: onUndelivered)
            let iterator = AsyncIterator(consumer: Consumer(storage: storage))
            // No source was started, so the iterator must not wait for one, even in another task.
            if CurrentTask.isCancelled {
                storage.consumerGone(returning: [])
            } else {
                start(Sink(storage: storage))
            }
            return iterator
        }
    }

    /// Makes a hot sequence and its sink.
    ///
    /// ```swift
    /// let (locations, sink) = CallbackSequence<Location, any Error>.makeSequence(
    ///     buffering: .newest(capacity: 1)
    /// )
    /// sink.onTermination { _ in manager.stop() }
    /// ```
    ///
    /// - Parameters:
    ///   - element: The type of the elements.
    ///   - failure: The type of the errors.
    ///   - buffering: What happens to elements that arrive faster than they are consumed.
    ///   - onUndelivered: Gets each element that was dropped or never consumed.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The sequence, for one consumer, and its sink.
    public static func makeSequence(
        of element: Element.Type = Element.self,
        throwing failure: Failure.Type = Failure.self,
        buffering: BufferingPolicy = .unbounded,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> (sequence: CallbackSequence, sink: Sink) {
        let made = CallSite(fileID: fileID, line: line)
        let storage = Storage(policy: buffering, made: made, onUndelivered: onUndelivered)
        return (CallbackSequence(source: .hot(HotSequence(storage: storage))), Sink(storage: storage))
    }
}

// MARK: - Iterating

extension CallbackSequence: AsyncSequence {
    /// Starts an iteration.
    ///
    /// - Returns: An iterator; dropping it stops the source.
    public func makeAsyncIterator() -> AsyncIterator {
        switch self.source {
        case .cold(let start):
            return start()
        case .hot(let sequence):
            let storage = sequence.storage
            switch storage.machine.withLock({ $0.takePlace() }) {
            case .consume: return AsyncIterator(consumer: Consumer(storage: storage))
            case .refuse: return AsyncIterator(refusedWith: BridgeFault(.secondConsumer, made: storage.made))
            case .refuseAfterLeaving: return AsyncIterator(refusedWith: BridgeFault(.consumerLeft, made: storage.made))
            case .end: return AsyncIterator(refusedWith: nil)
            }
        }
    }
}
