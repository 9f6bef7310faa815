// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

// Bridges that begin or end wrongly: elements from nowhere, a start that has thrown, a source that is kept.

extension WrongSequenceBridge {
    static let ofEndings: [WrongSequenceBridge] = [
        // The suite must come to an end.
        WrongSequenceBridge(
            "returns elements without end when its source has ended",
            breaks: [(.once, "the source finishes without an element")]
        ) { source in
            Altered(base: elements(source)) { element, _ in element ?? 7 }
        },
        WrongSequenceBridge(
            "returns elements without its source",
            breaks: [(.once, "the source finishes without an element")]
        ) { source in
            Altered(base: elements(source), asks: false) { _, _ in 7 }
        },
        WrongSequenceBridge(
            "puts a mark between its elements",
            breaks: [(.errors, "the source sends while the consumer waits")]
        ) { source in
            Altered(base: elements(source)) { element, count in count == 3 ? .min : element }
        },
        WrongSequenceBridge(
            "takes a negative element for the end",
            breaks: [(.errors, "the source sends negative and large elements")],
            // The source goes on, and nobody asks.
            orElse: .neverLost
        ) { source in
            Altered(base: elements(source)) { element, _ in (element ?? 0) < 0 ? nil : element }
        },
        WrongSequenceBridge(
            "passes its elements on as Float",
            breaks: [(.errors, "the source sends negative and large elements")]
        ) { source in
            Altered(base: elements(source)) { element, _ in element.map { Int(Float($0)) } }
        },
        WrongSequenceBridge(
            "takes a CancellationError of its source for the end",
            breaks: [(.errors, "the source fails with CancellationError of its own")]
        ) { source in
            Sequence { sink in
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in
                        if let error, !(error is CancellationError) { sink.fail(error) } else { sink.finish() }
                    }
                )
                return { handle.cancel() }
            }
        },
        WrongSequenceBridge(
            "starts again when start has thrown",
            breaks: [(.once, "start throws, and the iterator is asked again")]
        ) { source in
            LateStart(source, startsAgain: true)
        },
        WrongSequenceBridge(
            "waits when start has thrown",
            breaks: [(.neverLost, "start throws, and the iterator is asked again")]
        ) { source in
            LateStart(source, startsAgain: false)
        },
        keepingAll(),
        WrongSequenceBridge(
            "hands back what is still wanted",
            promises: .wrong.with { $0.handsBackElements = true },
            breaks: [(.backPressure, Self.histories)],
            // The consumer waits for it, or it is missed.
            orElse: .neverLost
        ) { source in
            let count = Mutex(0)
            return Sequence(onUndelivered: { source.takeBack($0) }) { sink in
                let handle = source.start(
                    onElement: { element in
                        let isThirtieth = count.withLock { count in
                            count += 1
                            return count == 30
                        }
                        if isThirtieth { source.takeBack(element) } else { sink.yield(element) }
                    },
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { handle.cancel() }
            }
        },
    ]

    /// All sequences of this one share a list.
    private static func keepingAll() -> WrongSequenceBridge {
        let handles = Mutex<(all: [SourceHandle], running: Int)>(([], 0))
        return WrongSequenceBridge(
            "keeps the handles of all sequences until none is left",
            breaks: [(.teardown, Self.histories)]
        ) { source in
            Sequence { sink in
                handles.withLock { $0.running += 1 }
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                handles.withLock { $0.all.append(handle) }
                return {
                    handle.cancel()
                    let rest = handles.withLock { handles -> [SourceHandle] in
                        handles.running -= 1
                        guard handles.running == 0 else { return [] }
                        defer { handles.all = [] }
                        return handles.all
                    }
                    withExtendedLifetime(rest) {}
                }
            }
        }
    }
}

/// A sequence whose iterators change what they return.
struct Altered: AsyncSequence {
    let base: CallbackSequence<Int, any Error>
    /// Whether the base is asked at all.
    var asks = true
    /// What is returned instead of an element or the end, and as the how manieth.
    let alter: @Sendable (Int?, _ count: Int) -> Int?

    struct Iterator: AsyncIteratorProtocol {
        var base: CallbackSequence<Int, any Error>.AsyncIterator
        let sequence: Altered
        var count = 0

        mutating func next() async throws -> Int? {
            self.count += 1
            return self.sequence.alter(self.sequence.asks ? try await self.base.next() : nil, self.count)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: self.base.makeAsyncIterator(), sequence: self) }
}

/// A sequence that starts its source when it is first asked, and takes a start that has thrown for none, or for one
/// that went well.
private struct LateStart: AsyncSequence {
    private let source: SequenceSource
    private let startsAgain: Bool
    private let base: CallbackSequence<Int, any Error>
    private let sink: CallbackSequence<Int, any Error>.Sink
    private let hasStarted = Flag()

    init(_ source: SequenceSource, startsAgain: Bool) {
        self.source = source
        self.startsAgain = startsAgain
        (self.base, self.sink) = CallbackSequence.makeSequence(of: Int.self, throwing: (any Error).self)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let sequence: LateStart
        fileprivate var base: CallbackSequence<Int, any Error>.AsyncIterator

        mutating func next() async throws -> Int? {
            try self.sequence.start()
            return try await self.base.next()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self, base: self.base.makeAsyncIterator()) }

    private func start() throws {
        if self.hasStarted.value { return }
        if !self.startsAgain { self.hasStarted.set() }
        let handle = try self.source.startThrowing(
            onElement: self.sink.handler(),
            onCompletion: { [sink] error in if let error { sink.fail(error) } else { sink.finish() } }
        )
        self.hasStarted.set()
        self.sink.onTermination { _ in handle.cancel() }
    }
}
