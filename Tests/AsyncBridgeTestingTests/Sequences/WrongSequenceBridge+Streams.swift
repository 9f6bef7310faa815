// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization

// Bridges over the standard library's stream, as they are commonly written.

extension WrongSequenceBridge {
    typealias Stream = AsyncThrowingStream<Int, any Error>

    static let ofStreams: [WrongSequenceBridge] = [
        WrongSequenceBridge(
            "makes a task for each event",
            breaks: [
                (.order, "the source sends from tasks of different priority")
            ],
            isRace: true
        ) { source in
            Stream { sink in
                let handle = source.start(
                    onElement: { element in
                        Task {
                            // What such a task is for is asynchronous. That makes the loss of order certain, too: on a
                            // loaded machine one thread may run tasks that do not suspend in their order.
                            if element.isMultiple(of: 2) { await Task.yield() }
                            sink.yield(element)
                        }
                    },
                    onCompletion: { error in Task(priority: .background) { sink.finish(throwing: error) } }
                )
                sink.onTermination = { _ in handle.cancel() }
            }
        },
        WrongSequenceBridge(
            "does not end when its sink is dropped",
            breaks: [
                (.neverLost, "the source forgets its closures inside start"),
                (.neverLost, "the source forgets its closures during the wait"),
                (.neverLost, "the source forgets its closures after some elements"),
            ],
            stream(.unbounded)
        ),
        // `onTermination` runs in the cancellation handler, under the lock of the task's status.
        WrongSequenceBridge(
            "stops the source under the runtime's lock",
            breaks: [(.noLocks, "cancelled, cancel() waits for the thread that is sending")],
            stream(.unbounded)
        ),
        WrongSequenceBridge(
            "stops the source under the lock that its handler takes",
            breaks: [(.noLocks, "the source sends and ends inside cancel")]
        ) { source in
            let lock = NonRecursiveLock()
            return Stream { sink in
                let handle = source.start(
                    onElement: { element in lock.locked { sink.yield(element) } },
                    onCompletion: { error in lock.locked { sink.finish(throwing: error) } }
                )
                sink.onTermination = { if case .cancelled = $0 { lock.locked { handle.cancel() } } }
            }
        },
        WrongSequenceBridge(
            "waits in onTermination for the source",
            breaks: [
                (.noBlocking, "the task is cancelled during the wait"),
                (.noBlocking, "the task is cancelled twice"),
            ]
        ) { source in
            let isOver = DispatchSemaphore(value: 0)
            ForgottenCells.afterTest { for _ in 0..<3 { isOver.signal() } }
            return Stream { sink in
                let handle = source.start(
                    onElement: { sink.yield($0) },
                    onCompletion: { error in
                        isOver.signal()
                        sink.finish(throwing: error)
                    }
                )
                sink.onTermination = { reason in
                    guard case .cancelled = reason else { return }
                    handle.cancel()
                    isOver.wait()
                }
            }
        },
        WrongSequenceBridge(
            "drops silently",
            breaks: [
                (.backPressure, "the source is faster than the consumer"),
                (.backPressure, "the source finishes inside start"),
            ],
            stream(.bufferingNewest(1))
        ),
        // A stream that fails while its consumer waits throws the error twice (Swift 6.3.1).
        WrongSequenceBridge(
            "throws its error twice",
            breaks: [(.once, "the source fails during the wait")],
            stream(.unbounded)
        ),
        // Not played: it would end the process.
        WrongSequenceBridge(
            "takes no second iterator",
            breaks: [(.once, "two iterators wait at the same time")],
            stream(.unbounded)
        ),
        // Nor this one, whose type does not tell that there is one stream.
        WrongSequenceBridge(
            "takes no second iterator, and hides its stream",
            breaks: [(.once, "two iterators wait at the same time")]
        ) { source in
            HiddenStream(base: Self.stream(.unbounded)(source))
        },
        WrongSequenceBridge(
            "never lets the source pause, and yet promises to",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.backPressure, "the source can pause, and the consumer is slow")],
            stream(.unbounded)
        ),
        // The suite must neither trap nor send forever.
        WrongSequenceBridge(
            "never starts its source",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [
                (.neverLost, "the source can pause, and the consumer is slow"),
                (.neverLost, "the consumer leaves when the paused source may go on"),
            ]
        ) { _ in
            Stream { sink in ForgottenCells.afterTest { sink.finish() } }
        },
        WrongSequenceBridge(
            "loses what nobody consumed, and yet promises to hand it back",
            promises: .wrong.with { $0.handsBackElements = true },
            breaks: [
                (.backPressure, "the consumer breaks while the source sends"),
                (.backPressure, "the source sends elements after its end"),
            ],
            stream(.unbounded)
        ),
        WrongSequenceBridge(
            "counts what it drops wrongly",
            promises: .wrong.with { $0.overflow = .countsDrops },
            breaks: [(.backPressure, "the source is faster than the consumer")]
        ) { source in
            Stream(bufferingPolicy: .bufferingOldest(3)) { sink in
                let handle = source.start(
                    onElement: { if case .dropped = sink.yield($0) { source.noteDropped(2) } },
                    onCompletion: { sink.finish(throwing: $0) }
                )
                sink.onTermination = { _ in handle.cancel() }
            }
        },
        WrongSequenceBridge(
            "stops the source twice",
            breaks: [
                (.teardown, "the consumer breaks out of the loop"),
                (.teardown, "the source finishes without an element"),
                (.teardown, "the task is cancelled after the end"),
                (.teardown, "the source sends and ends inside cancel"),
                (.teardown, "cancellation and the source's end race"),
                (.teardown, "leaving the loop and the source's end race"),
            ]
        ) { source in
            Stream { sink in
                let handle = source.start(
                    onElement: { sink.yield($0) },
                    onCompletion: { sink.finish(throwing: $0) }
                )
                sink.onTermination = { _ in
                    handle.cancel()
                    handle.cancel()
                }
            }
        },
        WrongSequenceBridge(
            "does not stop the source",
            breaks: [
                (.teardown, "the consumer breaks out of the loop"),
                (.teardown, "the consumer breaks and the source goes on"),
                (.teardown, "the consumer breaks while the source sends"),
                (.teardown, "the consumer drops the iterator after an element"),
                (.teardown, "the consumer drops the iterator unused"),
                (.teardown, "the consumer drops the sequence unused"),
                (.teardown, "the task is cancelled during the wait"),
                (.teardown, "the task is cancelled twice"),
                (.teardown, "the task is cancelled before the iteration"),
            ]
        ) { source in
            Stream { sink in
                _ = source.start(onElement: { sink.yield($0) }, onCompletion: { sink.finish(throwing: $0) })
            }
        },
        WrongSequenceBridge(
            "does not stop a source that has ended, and yet promises to",
            promises: .wrong.with { $0.stopsEndedSource = true },
            breaks: [(.teardown, "the source finishes without an element")]
        ) { source in
            Stream { sink in
                let handle = source.start(onElement: { sink.yield($0) }, onCompletion: { sink.finish(throwing: $0) })
                sink.onTermination = { if case .cancelled = $0 { handle.cancel() } }
            }
        },
        WrongSequenceBridge(
            "ends without the error",
            breaks: [
                (.errors, "the source fails inside start"), (.errors, "the source fails after some elements"),
                (.once, "the source fails, then finishes"),
            ]
        ) { source in
            Stream { sink in
                let handle = source.start(onElement: { sink.yield($0) }, onCompletion: { _ in sink.finish() })
                sink.onTermination = { _ in handle.cancel() }
            }
        },
        WrongSequenceBridge(
            "throws an error of its own",
            breaks: [(.errors, "the source fails after some elements")]
        ) { source in
            Stream { sink in
                let handle = source.start(
                    onElement: { sink.yield($0) },
                    onCompletion: { sink.finish(throwing: $0.map { _ in OtherError() }) }
                )
                sink.onTermination = { _ in handle.cancel() }
            }
        },
        WrongSequenceBridge(
            "starts in a detached task",
            breaks: [(.isolation, "the consumer has a task-local value")]
        ) { source in
            Stream { sink in
                let latch = Latch()
                sink.onTermination = { _ in latch.cancel() }
                Task.detached {
                    latch.set(source.start(onElement: { sink.yield($0) }, onCompletion: { sink.finish(throwing: $0) }))
                }
            }
        },
        WrongSequenceBridge(
            "starts twice",
            breaks: [(.once, "the source sends while the consumer waits")]
        ) { source in
            Stream { sink in
                for _ in 0..<2 {
                    _ = source.start(onElement: { sink.yield($0) }, onCompletion: { sink.finish(throwing: $0) })
                }
            }
        },
        WrongSequenceBridge(
            "keeps the handle forever",
            breaks: [(.teardown, "the source finishes inside start")],
            keeping(Keeper())
        ),
        WrongSequenceBridge(
            "keeps one sink for all sequences",
            breaks: [(.neverLost, "two sequences are consumed at once")],
            sharing()
        ),
    ]

    private static func stream(
        _ policy: Stream.Continuation.BufferingPolicy
    ) -> @Sendable (SequenceSource) -> Stream {
        { source in
            Stream(bufferingPolicy: policy) { sink in
                let handle = source.start(onElement: { sink.yield($0) }, onCompletion: { sink.finish(throwing: $0) })
                sink.onTermination = { _ in handle.cancel() }
            }
        }
    }

    private static func keeping(_ kept: Keeper) -> @Sendable (SequenceSource) -> Stream {
        { source in
            Stream { sink in
                kept.keep(source.start(onElement: { sink.yield($0) }, onCompletion: { sink.finish(throwing: $0) }))
            }
        }
    }

    private static func sharing() -> @Sendable (SequenceSource) -> Stream {
        let shared = SharedSink()
        return { source in
            Stream { sink in
                shared.sink.withLock { $0 = sink }
                let handle = source.start(
                    onElement: { element in _ = shared.sink.withLock { $0 }?.yield(element) },
                    onCompletion: { error in shared.sink.withLock { $0 }?.finish(throwing: error) }
                )
                sink.onTermination = { _ in handle.cancel() }
            }
        }
    }
}

/// A sequence with the iterators of a stream.
private struct HiddenStream: AsyncSequence {
    let base: WrongSequenceBridge.Stream

    func makeAsyncIterator() -> WrongSequenceBridge.Stream.Iterator { self.base.makeAsyncIterator() }
}

/// The one property in which a delegate keeps the continuation of its stream.
private final class SharedSink: Sendable {
    let sink = Mutex<WrongSequenceBridge.Stream.Continuation?>(nil)
}
