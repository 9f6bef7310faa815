// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization
import Testing

/// An unusual sequence that breaks no law.
struct RightSequenceBridge: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable () async -> [Violation]

    init<S: AsyncSequence & SendableMetatype>(
        _ name: String,
        _ change: @escaping @Sendable (inout SequencePromises) -> Void = { _ in },
        _ bridge: @escaping @Sendable (SequenceSource) -> S
    ) where S.Element == Int {
        self.testDescription = name
        self.check = { await SequenceLaws.check(name, promises: .right.with(change), bridge) }
    }

    static let all = Self.ofStreams + Self.ofAlgorithms + Self.ofIterators + Self.ofBroadcasts + Self.ofHandlers

    // MARK: Over the standard library's stream

    /// What its consumer cannot see: a stream ends like a finished one when it is cancelled, and traps when two wait.
    @Sendable
    private static func asStream(_ promises: inout SequencePromises) {
        promises.throwsWhenCancelled = false
        promises.takesSecondIterator = false
        promises.stopsWhenLeft = false
        promises.detectsDrops = false
    }

    private typealias Stream = AsyncThrowingStream<Int, any Error>

    private static let ofStreams = [
        RightSequenceBridge("a stream, stopped on a queue", Self.asStream) { source in
            EndingOnce(
                base: Stream { sink in
                    let handle = source.start(
                        onElement: { sink.yield($0) },
                        onCompletion: { sink.finish(throwing: $0) }
                    )
                    sink.onTermination = { _ in handle.cancelElsewhere() }
                }
            )
        },
        RightSequenceBridge(
            "a stream that cannot fail",
            {
                Self.asStream(&$0)
                $0.passesErrors = false
            },
            { source in
                AsyncStream { sink in
                    let handle = source.start(onElement: { sink.yield($0) }, onCompletion: { _ in sink.finish() })
                    sink.onTermination = { _ in handle.cancelElsewhere() }
                }
            }
        ),
        Self.counting("a stream that keeps the newest, and counts", .dropsOldest, .bufferingNewest(8)),
        Self.counting("a stream that keeps the oldest, and counts", .dropsNewest, .bufferingOldest(8)),
        Self.counting("a stream that keeps the newest of none, and counts", .countsDrops, .bufferingNewest(0)),
        Self.counting("a stream that keeps the oldest of none, and counts", .countsDrops, .bufferingOldest(0)),
        RightSequenceBridge(
            "a stream that a task fills",
            {
                Self.asStream(&$0)
                $0.startsInConsumer = false
                $0.detectsDrops = true
            },
            { source in
                EndingOnce(
                    base: Stream { sink in
                        let pump = Task {
                            do {
                                for try await element in Self.sequence(source) { sink.yield(element) }
                                sink.finish()
                            } catch {
                                sink.finish(throwing: error)
                            }
                        }
                        sink.onTermination = { _ in pump.cancel() }
                    }
                )
            }
        ),
    ]

    /// A stream that drops, and counts what it drops.
    private static func counting(
        _ name: String,
        _ overflow: SequencePromises.Overflow,
        _ policy: Stream.Continuation.BufferingPolicy
    ) -> RightSequenceBridge {
        RightSequenceBridge(
            name,
            {
                Self.asStream(&$0)
                $0.overflow = overflow
            },
            { source in
                EndingOnce(
                    base: Stream(bufferingPolicy: policy) { sink in
                        let handle = source.start(
                            onElement: { if case .dropped = sink.yield($0) { source.noteDropped() } },
                            onCompletion: { sink.finish(throwing: $0) }
                        )
                        sink.onTermination = { _ in handle.cancelElsewhere() }
                    }
                )
            }
        )
    }

    // MARK: Under the standard library's algorithms

    private static let ofAlgorithms = [
        RightSequenceBridge("map") { Self.sequence($0).map { $0 } },
        RightSequenceBridge("filter of map") { Self.sequence($0).map { $0 }.filter { _ in true } },
        RightSequenceBridge("compactMap that throws never") { Self.sequence($0).compactMap { $0 } },
        RightSequenceBridge("flatMap of one element each") { source in
            Self.sequence(source).flatMap { element in
                AsyncStream { sink in
                    sink.yield(element)
                    sink.finish()
                }
            }
        },
    ]

    // MARK: With unusual iterators

    private static let ofIterators = [
        RightSequenceBridge("refuses a second iterator with an error") { source in
            OneIterator(base: Self.sequence(source), refusal: OtherError())
        },
        RightSequenceBridge("ends a second iterator at once") { source in
            OneIterator(base: Self.sequence(source), refusal: nil)
        },
        RightSequenceBridge("starts the source for each iterator") { source in
            Cold { Self.sequence(source) }
        },
        RightSequenceBridge("ends like a finished one when it is cancelled", { $0.throwsWhenCancelled = false }) {
            source in
            EndingOnce(base: Self.sequence(source), endsWhenCancelled: true)
        },
        RightSequenceBridge("hides its type") { source in
            let sequence: any AsyncSequence<Int, any Error> = Self.sequence(source)
            return Erased(base: sequence)
        },
    ]

    // MARK: With all elements for each iterator

    private static let ofBroadcasts = [
        RightSequenceBridge("a broadcast whose iterators are streams'", { $0.passesErrors = false }) {
            StreamBroadcast($0)
        },
        RightSequenceBridge("a broadcast whose iterators hand back", { $0.handsBackElements = true }) {
            BufferBroadcast($0)
        },
        RightSequenceBridge(
            "starts a stream for each iterator",
            {
                Self.asStream(&$0); $0.takesSecondIterator = true
            }
        ) {
            source in
            Cold {
                EndingOnce(
                    base: Stream { sink in
                        let handle = source.start(
                            onElement: { sink.yield($0) },
                            onCompletion: { sink.finish(throwing: $0) }
                        )
                        sink.onTermination = { _ in handle.cancelElsewhere() }
                    }
                )
            }
        },
        RightSequenceBridge("ends the process at a second iterator", { $0.takesSecondIterator = false }) { source in
            OneIterator(base: Self.sequence(source), refusal: nil, traps: true)
        },
    ]

    // MARK: With unusual handlers

    private static let ofHandlers = [
        RightSequenceBridge("hops to a queue, where it is stopped as well") { source in
            let queue = DispatchQueue(label: "sequence")
            return CallbackSequence<Int, any Error> { sink in
                let handle = source.start(
                    onElement: { element in queue.async { sink.yield(element) } },
                    onCompletion: { error in
                        queue.async { if let error { sink.fail(error) } else { sink.finish() } }
                    }
                )
                return { queue.async { handle.cancel() } }
            }
        },
        RightSequenceBridge(
            "stops its source on a queue, and takes its time to hand back",
            { $0.handsBackElements = true }
        ) {
            source in
            let queue = DispatchQueue(label: "stops")
            return CallbackSequence<Int, any Error>(
                onUndelivered: { element in
                    // Not for each of a hundred thousand.
                    if element % 1_000_000 < 50 { dawdle(for: .microseconds(300)) }
                    source.takeBack(element)
                }
            ) { sink in
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { queue.async { handle.cancel() } }
            }
        },
        RightSequenceBridge("looks its sink up under a lock, and calls when the lock is free") { source in
            Self.sequence(source) { sink in
                let table = Mutex([0: sink])
                return { element in table.withLock { $0[0] }?.yield(element) }
            }
        },
        RightSequenceBridge("has a recursive lock that is free while it starts and stops") { source in
            Self.sequence(source) { sink in
                let lock = RecursiveLock()
                return { element in lock.locked { _ = sink.yield(element) } }
            }
        },
    ]

    // MARK: With a source that can pause

    static let ofPausing = [
        RightSequenceBridge("asks its source on a queue that is late", { $0.overflow = .pauses }) { source in
            let queue = DispatchQueue(label: "source")
            return CallbackSequence<Int, any Error>(buffering: .watermark(low: 4, high: 16)) { sink in
                sink.onBackPressure(
                    pause: {
                        queue.async {
                            // More than a thousand elements come meanwhile.
                            dawdle(for: .milliseconds(20))
                            source.pause()
                        }
                    },
                    resume: { queue.async { source.resume() } }
                )
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { queue.async { handle.cancel() } }
            }
        },
        RightSequenceBridge("pauses its source while nobody waits, on the source's thread", { $0.overflow = .pauses }) {
            PullingSequence($0, pausing: .inTheHandler)
        },
        RightSequenceBridge("pauses its source while nobody waits, on the consumer's thread", Self.handingBack) {
            PullingSequence($0, pausing: .inNext)
        },
        RightSequenceBridge("pauses while nobody waits, and hands back what is left", Self.handingBack) {
            PullingSequence($0, pausing: .inTheHandler)
        },
    ]

    @Sendable
    private static func handingBack(_ promises: inout SequencePromises) {
        promises.overflow = .pauses
        promises.handsBackElements = true
    }

    private static func sequence(
        _ source: SequenceSource,
        _ handler: @escaping @Sendable (CallbackSequence<Int, any Error>.Sink) -> @Sendable (Int) -> Void = { sink in
            { sink.yield($0) }
        }
    ) -> CallbackSequence<Int, any Error> {
        CallbackSequence { sink in
            let handle = source.start(
                onElement: handler(sink),
                onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
            )
            return { handle.cancel() }
        }
    }
}

extension SourceHandle {
    /// Not here: a stream's `onTermination` runs in the cancellation's handler, under the runtime's lock.
    fileprivate func cancelElsewhere() { DispatchQueue.global().async { self.cancel() } }
}
