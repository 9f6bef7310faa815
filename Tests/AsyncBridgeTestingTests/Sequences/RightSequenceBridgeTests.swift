// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import Testing

@Suite("CallbackSequence obeys the laws", .timeLimit(.minutes(10)))
struct RightSequenceBridgeTests {
    @Test func unbounded() async {
        let promises = SequencePromises.right.with { $0.handsBackElements = true }
        let violations = await SequenceLaws.check("CallbackSequence", promises: promises) { source in
            CallbackSequence<Int, any Error>(onUndelivered: { source.takeBack($0) }) { sink in
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { handle.cancel() }
            }
        }
        expectNone(violations)
    }

    @Test(arguments: [
        (BufferingPolicy.Overflow.dropOldest, 1), (.dropOldest, 2), (.dropOldest, 4), (.dropNewest, 1),
        (.dropNewest, 4), (.fail, 1), (.fail, 16),
    ])
    func bounded(_ overflow: BufferingPolicy.Overflow, capacity: Int) async {
        let promises = SequencePromises.right.with {
            $0.overflow =
                switch overflow {
                // The same, promised less and more exactly.
                case .dropOldest: capacity.isMultiple(of: 4) ? .dropsOldest : .countsDrops
                case .dropNewest: capacity.isMultiple(of: 4) ? .dropsNewest : .countsDrops
                case .fail: .fails
                }
            $0.handsBackElements = true
        }
        let name = "CallbackSequence, \(overflow), \(capacity)"
        let violations = await SequenceLaws.check(name, promises: promises) { source in
            CallbackSequence<Int, any Error>(
                buffering: .bounded(capacity, whenFull: overflow),
                onUndelivered: {
                    source.noteDropped()
                    source.takeBack($0)
                }
            ) { sink in
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { handle.cancel() }
            }
        }
        expectNone(violations)
    }

    /// A source that pauses and goes on, on a queue of its own, as the documentation of `onDemand` asks for.
    @Test func watermark() async {
        let promises = SequencePromises.right.with {
            $0.overflow = .pauses
            $0.handsBackElements = true
        }
        // Such a source cannot wait for that queue, on it.
        let names = Set(SequenceLaws.scenarioNames(for: promises)).subtracting([
            "resume() waits for the thread that is sending", "takeBack() waits for the thread that is sending",
        ])
        let violations = await SequenceLaws.check(
            "CallbackSequence, watermark",
            promises: promises,
            only: names
        ) { source in
            CallbackSequence<Int, any Error>.starting(
                buffering: .watermark(low: 4, high: 16),
                onUndelivered: { source.takeBack($0) }
            ) { sink in
                let queue = DispatchQueue(label: "source")
                let handle = source.start(
                    onElement: { element in
                        queue.sync { if case .acceptedPleasePause = sink.yield(element) { source.pause() } }
                    },
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                let isOver = Flag()
                sink.onDemand { queue.async { if !isOver.value { source.resume() } } }
                sink.onTermination { _ in
                    // On the queue: a resume() that waits there must not come after cancel(). That itself is not called
                    // there: the source may send in it, and the handler comes to this queue.
                    queue.sync { isOver.set() }
                    handle.cancel()
                }
            }
        }
        expectNone(violations)
    }

    @Test(arguments: [BufferingPolicy.watermark(low: 4, high: 16), .watermark(low: 0, high: 1)])
    func `back pressure`(_ buffering: BufferingPolicy) async {
        let promises = SequencePromises.right.with {
            $0.overflow = .pauses
            $0.handsBackElements = true
        }
        let violations = await SequenceLaws.check("CallbackSequence, onBackPressure", promises: promises) { source in
            CallbackSequence<Int, any Error>(buffering: buffering, onUndelivered: { source.takeBack($0) }) { sink in
                sink.onBackPressure(pause: { source.pause() }, resume: { source.resume() })
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { handle.cancel() }
            }
        }
        expectNone(violations)
    }

    @Test func `without errors`() async {
        let promises = SequencePromises.right.with { $0.passesErrors = false }
        let violations = await SequenceLaws.check("CallbackSequence, Never", promises: promises) { source in
            CallbackSequence<Int, Never> { sink in
                let handle = source.start(onElement: sink.handler(), onCompletion: { _ in sink.finish() })
                return { handle.cancel() }
            }
        }
        expectNone(violations)
    }

    @Test func `with a start that throws`() async {
        let violations = await SequenceLaws.check("CallbackSequence, throwing start", promises: .right) { source in
            CallbackSequence<Int, any Error> { sink in
                do {
                    let handle = try source.startThrowing(
                        onElement: sink.handler(),
                        onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                    )
                    return { handle.cancel() }
                } catch {
                    sink.fail(error)
                    return {}
                }
            }
        }
        expectNone(violations)
    }

    /// A right sequence that is not the package's.
    @Test func `by hand`() async {
        let promises = SequencePromises.right.with {
            $0.stopsEndedSource = false
            $0.handsBackElements = true
        }
        expectNone(await SequenceLaws.check("Pipe", promises: promises) { Pipe($0, flaw: .none) })
    }

    @Test func hot() async {
        let violations = await SequenceLaws.check("CallbackSequence.makeSequence", promises: .right) { source in
            let (sequence, sink) = CallbackSequence.makeSequence(of: Int.self, throwing: (any Error).self)
            let handle = source.start(
                onElement: sink.handler(),
                onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
            )
            sink.onTermination { _ in handle.cancel() }
            return sequence
        }
        expectNone(violations)
    }
}
