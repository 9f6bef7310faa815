// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

@Suite("CallbackSequence obeys the laws")
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
            $0.overflow = overflow == .fail ? .fails : .countsDrops
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

    @Test func watermark() async {
        let promises = SequencePromises.right.with {
            $0.overflow = .pauses
            $0.handsBackElements = true
        }
        let violations = await SequenceLaws.check("CallbackSequence, watermark", promises: promises) { source in
            CallbackSequence<Int, any Error>.starting(
                buffering: .watermark(low: 4, high: 16),
                onUndelivered: { source.takeBack($0) }
            ) { sink in
                let handle = source.start(
                    onElement: { if case .acceptedPleasePause = sink.yield($0) { source.pause() } },
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                sink.onDemand { source.resume() }
                sink.onTermination { _ in handle.cancel() }
            }
        }
        expectNone(violations)
    }

    @Test func backPressure() async {
        let promises = SequencePromises.right.with { $0.overflow = .pauses }
        let violations = await SequenceLaws.check("CallbackSequence, onBackPressure", promises: promises) { source in
            CallbackSequence<Int, any Error>(buffering: .watermark(low: 4, high: 16)) { sink in
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

    @Test func withoutErrors() async {
        let promises = SequencePromises.right.with { $0.passesErrors = false }
        let violations = await SequenceLaws.check("CallbackSequence, Never", promises: promises) { source in
            CallbackSequence<Int, Never> { sink in
                let handle = source.start(onElement: sink.handler(), onCompletion: { _ in sink.finish() })
                return { handle.cancel() }
            }
        }
        expectNone(violations)
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
