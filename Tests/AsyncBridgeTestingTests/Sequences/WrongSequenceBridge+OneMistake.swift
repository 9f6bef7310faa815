// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Synchronization

// Bridges over the package's own sequence, right but for one mistake.

extension WrongSequenceBridge {
    typealias Sequence = CallbackSequence<Int, any Error>

    static let withOneMistake: [WrongSequenceBridge] = [
        WrongSequenceBridge(
            "loses what comes inside resume()",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [
                (.neverLost, "the source sends inside resume()"),
                (.neverLost, "the source ends inside resume()"),
            ]
        ) { source in
            let call = CallInProgress()
            return pausing(
                source,
                pause: { source.pause() },
                resume: { call.during { source.resume() } },
                takes: { _ in !call.isRunning }
            )
        },
        WrongSequenceBridge(
            "loses an end that comes inside pause()",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.neverLost, "the source ends inside pause()")]
        ) { source in
            let call = CallInProgress()
            return pausing(
                source,
                pause: { call.during { source.pause() } },
                resume: { source.resume() },
                takes: { isEnd in !isEnd || !call.isRunning }
            )
        },
        WrongSequenceBridge(
            "drops the newest, and yet promises to drop the oldest",
            promises: .wrong.with { $0.overflow = .dropsOldest },
            breaks: [(.backPressure, "the source is faster than a buffer that drops")],
            dropping(.oldest(capacity: 16))
        ),
        WrongSequenceBridge(
            "drops the oldest, and yet promises to drop the newest",
            promises: .wrong.with { $0.overflow = .dropsNewest },
            breaks: [(.backPressure, "the source is faster than a buffer that drops")],
            dropping(.newest(capacity: 16))
        ),
        // What `yield` answers may be old when the source is asked to pause.
        WrongSequenceBridge(
            "pauses and resumes on two threads at once",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.backPressure, "the consumer empties the buffer while pause() runs")],
            isRace: true
        ) { source in
            Sequence.starting(buffering: .watermark(low: 4, high: 16)) { sink in
                let handle = source.start(
                    onElement: { if case .acceptedPleasePause = sink.yield($0) { source.pause() } },
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                sink.onDemand { source.resume() }
                sink.onTermination { _ in handle.cancel() }
            }
        },
        WrongSequenceBridge(
            "pauses under a lock that next() takes",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.noLocks, "the consumer empties the buffer while pause() runs")]
        ) { source in
            let lock = NonRecursiveLock()
            return pausing(source, pause: { lock.locked { source.pause() } }, resume: { source.resume() }).map {
                element in
                lock.locked {}
                return element
            }
        },
        WrongSequenceBridge(
            "resumes under a lock that its handler takes",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.noLocks, "resume() waits for the thread that is sending")]
        ) { source in
            let lock = NonRecursiveLock()
            return pausing(
                source,
                pause: { source.pause() },
                resume: { lock.locked { source.resume() } },
                onElement: { lock.locked {} }
            )
        },
        WrongSequenceBridge(
            "resumes its source when it has stopped it",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.teardown, "the consumer leaves when the paused source may go on")]
        ) { source in
            pausing(source, pause: { source.pause() }, resume: { source.resume() }, afterStop: { source.resume() })
        },
        WrongSequenceBridge(
            "pauses its source when it has stopped it",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.teardown, "the consumer leaves when the paused source may go on")]
        ) { source in
            pausing(source, pause: { source.pause() }, resume: { source.resume() }, afterStop: { source.pause() })
        },
        WrongSequenceBridge(
            "resumes on a queue, also when it was left meanwhile",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.teardown, "the consumer leaves when the paused source may go on")],
            isRace: true
        ) { source in
            Sequence.starting(buffering: .watermark(low: 0, high: 16)) { sink in
                let queue = DispatchQueue(label: "source")
                let isOver = Flag()
                sink.onBackPressure(
                    pause: { queue.sync { source.pause() } },
                    resume: {
                        queue.async {
                            dawdle(for: .milliseconds(2))
                            if !isOver.value { source.resume() }
                        }
                    }
                )
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                sink.onTermination { reason in
                    // Only the end that the source has made itself is looked after.
                    if case .cancelled = reason {} else { queue.sync { isOver.set() } }
                    handle.cancel()
                }
            }
        },
        WrongSequenceBridge(
            "starts its source under a lock that its handler takes",
            breaks: [(.noLocks, "start waits for the thread that is sending")]
        ) { source in
            let lock = NonRecursiveLock()
            return Sequence { sink in
                let latch = Latch()
                lock.locked {
                    latch.set(
                        source.start(
                            onElement: { element in
                                lock.locked {}
                                sink.yield(element)
                            },
                            onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                        )
                    )
                }
                return { latch.cancel() }
            }
        },
        WrongSequenceBridge(
            "does not stop a source that is paused",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.teardown, "the consumer leaves while pause() runs")]
        ) { source in
            let isPaused = Flag()
            return Sequence(buffering: .watermark(low: 4, high: 16)) { sink in
                sink.onBackPressure(
                    pause: {
                        isPaused.set()
                        source.pause()
                    },
                    resume: {
                        isPaused.set(false)
                        source.resume()
                    }
                )
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { if !isPaused.value { handle.cancel() } }
            }
        },
        WrongSequenceBridge(
            "hands back under its lock",
            promises: .wrong.with { $0.handsBackElements = true },
            breaks: [(.noLocks, "takeBack() waits for the thread that is sending")]
        ) { source in
            let lock = NonRecursiveLock()
            return Sequence(onUndelivered: { element in lock.locked { source.takeBack(element) } }) { sink in
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { handle.cancel() }
            }
        },
        // Below it hands back what it has not given, so only what was given and not passed on is lost.
        WrongSequenceBridge(
            "checks for cancellation after next() of another sequence",
            promises: .wrong.with { $0.handsBackElements = true },
            breaks: [(.backPressure, "the task is cancelled while it takes elements, many times")],
            isRace: true
        ) { source in
            CheckingSequence(base: handingBack(source)) { dawdle(for: .microseconds(50)) }
        },
        WrongSequenceBridge(
            "checks for cancellation after next() of a sequence that pauses its source",
            promises: .wrong.with {
                $0.overflow = .pauses
                $0.handsBackElements = true
            },
            breaks: [(.backPressure, "the task is cancelled inside resume()")]
        ) { source in
            CheckingSequence(base: handingBack(source, buffering: .watermark(low: 4, high: 16)))
        },
        WrongSequenceBridge(
            "leaves out what equals the last element",
            breaks: [(.neverLost, "the source sends an element that equals the last one")]
        ) { source in
            Sequence { sink in
                let last = Mutex<Int?>(nil)
                let handle = source.start(
                    onElement: { element in
                        let isNew = last.withLock { last in
                            defer { last = element }
                            return last != element
                        }
                        if isNew { sink.yield(element) }
                    },
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { handle.cancel() }
            }
        },
        WrongSequenceBridge(
            "counts what goes to a waiting consumer",
            promises: .wrong.with { $0.overflow = .pauses },
            breaks: [(.backPressure, "each element comes when the last was consumed, many times")],
            isRace: true
        ) { Miscounting($0) },
        WrongSequenceBridge(
            "lets an iterator leave by its place",
            breaks: [(.teardown, "two iterators wait, and both are cancelled in turn")]
        ) { BufferBroadcast($0, leavesByPlace: true) },
        WrongSequenceBridge(
            "begins with the last element of the iterator before",
            breaks: [(.once, "a second loop runs over the sequence that was left")]
        ) { source in Replaying(base: Cold { handingBack(source) }) },
        WrongSequenceBridge(
            "stops its source whenever it has ended",
            breaks: [(.teardown, "the source sends and ends inside cancel")]
        ) { source in
            Sequence { sink in
                let latch = Latch()
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in
                        if let error { sink.fail(error) } else { sink.finish() }
                        latch.cancel()
                    }
                )
                latch.set(handle)
                return { handle.cancel() }
            }
        },
        WrongSequenceBridge(
            "starts its source whenever it has ended",
            breaks: [(.once, "a second loop runs when the source has finished")]
        ) { source in
            Sequence { sink in
                startAgain(source, sink)
                return {}
            }
        },
        WrongSequenceBridge(
            "counts more drops than there are numbers",
            promises: .wrong.with { $0.overflow = .countsDrops },
            breaks: [(.backPressure, "the source is faster than the consumer")]
        ) { source in
            Sequence(buffering: .newest(capacity: 16), onUndelivered: { _ in source.noteDropped(.max) }) { sink in
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { handle.cancel() }
            }
        },
        WrongSequenceBridge(
            "numbers its sources by how many there are",
            breaks: [(.cancellation, "a sequence begins when one of two has ended")],
            numbering()
        ),
        WrongSequenceBridge(
            "looks whether it has started, and then starts",
            breaks: [(.teardown, "two iterators begin at the same time")],
            isRace: true
        ) { StartingInTwoSteps($0) },
        WrongSequenceBridge("ignores that start throws", breaks: [(.neverLost, "start throws")]) { source in
            Sequence { sink in
                let handle = try? source.startThrowing(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { handle?.cancel() }
            }
        },
        WrongSequenceBridge("finishes when start throws", breaks: [(.errors, "start throws")]) { source in
            Sequence { sink in
                let handle = try? source.startThrowing(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                if handle == nil { sink.finish() }
                return { handle?.cancel() }
            }
        },
    ]

    /// Starts a source, and once more whenever it has ended.
    private static func startAgain(_ source: SequenceSource, _ sink: Sequence.Sink) {
        _ = source.start(
            onElement: sink.handler(),
            onCompletion: { error in
                if let error { sink.fail(error) } else { sink.finish() }
                startAgain(source, sink)
            }
        )
    }

    private static func numbering() -> @Sendable (SequenceSource) -> Sequence {
        let handles = Handles()
        return { source in
            Sequence { sink in
                let number = handles.all.withLock(\.count)
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in
                        handles.all.withLock { $0[number] = nil }
                        if let error { sink.fail(error) } else { sink.finish() }
                    }
                )
                handles.all.withLock { $0[number] = handle }
                return { handles.all.withLock { $0.removeValue(forKey: number) }?.cancel() }
            }
        }
    }

    static func dropping(
        _ buffering: BufferingPolicy
    ) -> @Sendable (SequenceSource) -> CallbackSequence<Int, any Error> {
        { source in
            Sequence(buffering: buffering, onUndelivered: { _ in source.noteDropped() }) { sink in
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { handle.cancel() }
            }
        }
    }

    static func pausing(
        _ source: SequenceSource,
        pause: @escaping @Sendable () -> Void,
        resume: @escaping @Sendable () -> Void,
        onElement: @escaping @Sendable () -> Void = {},
        takes: @escaping @Sendable (_ isEnd: Bool) -> Bool = { _ in true },
        afterStop: @escaping @Sendable () -> Void = {}
    ) -> CallbackSequence<Int, any Error> {
        Sequence(buffering: .watermark(low: 4, high: 16)) { sink in
            sink.onBackPressure(pause: pause, resume: resume)
            let handle = source.start(
                onElement: { element in
                    onElement()
                    if takes(false) { sink.yield(element) }
                },
                onCompletion: { error in
                    guard takes(true) else { return }
                    if let error { sink.fail(error) } else { sink.finish() }
                }
            )
            return {
                handle.cancel()
                afterStop()
            }
        }
    }

    static func handingBack(
        _ source: SequenceSource,
        buffering: BufferingPolicy = .unbounded
    ) -> CallbackSequence<Int, any Error> {
        CallbackSequence(buffering: buffering, onUndelivered: { source.takeBack($0) }) { sink in
            sink.onBackPressure(pause: { source.pause() }, resume: { source.resume() })
            let handle = source.start(
                onElement: sink.handler(),
                onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
            )
            return { handle.cancel() }
        }
    }
}

/// Whether a call runs, on whatever thread.
private final class CallInProgress: Sendable {
    private let state = Mutex(false)

    var isRunning: Bool { self.state.withLock { $0 } }

    func during(_ body: () -> Void) {
        self.state.withLock { $0 = true }
        body()
        self.state.withLock { $0 = false }
    }
}

private final class Handles: Sendable {
    let all = Mutex<[Int: SourceHandle]>([:])
}

/// Starts its source when the first iterator asks, or when each of two does that ask at the same time.
private struct StartingInTwoSteps: AsyncSequence {
    private let source: SequenceSource
    private let storage: PipeStorage
    private let hasStarted = Flag()

    init(_ source: SequenceSource) {
        self.source = source
        self.storage = PipeStorage(
            .none,
            takeBack: { source.takeBack($0) },
            noteDropped: { source.noteDropped() },
            between: {}
        )
    }

    struct Iterator: AsyncIteratorProtocol {
        let sequence: StartingInTwoSteps

        func next() async throws -> Int? {
            let (source, storage) = (self.sequence.source, self.sequence.storage)
            if !self.sequence.hasStarted.value {
                dawdle(for: .microseconds(50))
                self.sequence.hasStarted.set()
                storage.set(source.start(onElement: { storage.send($0) }, onCompletion: { storage.end($0) }))
            }
            return try await storage.next()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
}

/// Loses an element if the task is cancelled between two steps.
struct CheckingSequence: AsyncSequence {
    let base: CallbackSequence<Int, any Error>
    var between: @Sendable () -> Void = {}

    struct Iterator: AsyncIteratorProtocol {
        var base: CallbackSequence<Int, any Error>.AsyncIterator
        let between: @Sendable () -> Void
        var isOver = false

        mutating func next() async throws -> Int? {
            if self.isOver { return nil }
            do {
                let element = try await self.base.next()
                self.between()
                try Task.checkCancellation()
                return element
            } catch {
                self.isOver = true
                throw error
            }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: self.base.makeAsyncIterator(), between: self.between) }
}
