// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

// Bridges whose mistake no scenario shows, since it takes several sequences, or several events in turn.

extension WrongSequenceBridge {
    static let histories = "elements, ends and consumers come and go in random order"

    static let ofHistories: [WrongSequenceBridge] = [
        WrongSequenceBridge(
            "does not pause its source before start has returned",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.backPressure, "the source fills the buffer inside start")]
        ) { source in
            let hasStarted = Flag()
            return Sequence(buffering: .watermark(low: 4, high: 16)) { sink in
                sink.onBackPressure(
                    pause: { if hasStarted.value { source.pause() } },
                    resume: { source.resume() }
                )
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                hasStarted.set()
                return { handle.cancel() }
            }
        },
        WrongSequenceBridge(
            "asks its source to pause only once",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.backPressure, Self.histories)]
        ) { source in
            let hasPaused = Flag()
            return pausing(
                source,
                pause: {
                    if hasPaused.value { return }
                    hasPaused.set()
                    source.pause()
                },
                resume: { source.resume() }
            )
        },
        WrongSequenceBridge(
            "asks its source to go on only once",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.backPressure, Self.histories)]
        ) { source in
            let hasResumed = Flag()
            return pausing(
                source,
                pause: { source.pause() },
                resume: {
                    if hasResumed.value { return }
                    hasResumed.set()
                    source.resume()
                }
            )
        },
        WrongSequenceBridge(
            "drops the oldest of more than 4,096",
            breaks: [(.backPressure, "a hundred thousand elements wait for the consumer")],
            dropping(.newest(capacity: 4096))
        ),
        WrongSequenceBridge(
            "drops the newest of more than 4,096",
            breaks: [(.backPressure, "a hundred thousand elements wait for the consumer")],
            dropping(.oldest(capacity: 4096))
        ),
        Self.pipe(
            "stops the source when the sequence goes, although it is iterated",
            .stopsWithItsSequence,
            breaks: [(.teardown, Self.histories)]
        ),
        Self.pipe(
            "stops the source when the sequence goes, although its iterator went earlier",
            .stopsOnlyWithItsSequence,
            breaks: [(.teardown, Self.histories)]
        ),
        stoppingTheLast(),
    ]

    /// All sequences of this one share a property: two tests at the same time would disturb each other.
    static func stoppingTheLast() -> WrongSequenceBridge {
        let last = LastHandle()
        return WrongSequenceBridge(
            "stops the source that was started last",
            breaks: [(.teardown, Self.histories)]
        ) { source in
            Sequence { sink in
                last.set(
                    source.start(
                        onElement: sink.handler(),
                        onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                    )
                )
                return { last.cancel() }
            }
        }
    }
}

/// The one property in which a delegate keeps the handle of its stream.
private final class LastHandle: Sendable {
    private let handle = Mutex<SourceHandle?>(nil)

    // What was there is released outside the lock.
    func set(_ handle: SourceHandle) {
        _ = self.handle.withLock { kept in
            defer { kept = handle }
            return kept
        }
    }

    func cancel() {
        let handle = self.handle.withLock { kept in
            defer { kept = nil }
            return kept
        }
        handle?.cancel()
    }
}
