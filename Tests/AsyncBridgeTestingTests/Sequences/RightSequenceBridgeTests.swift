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
        (BufferingPolicy.newest(capacity: 1), SequencePromises.Overflow.countsDrops),
        (.newest(capacity: 2), .countsDrops),
        (.newest(capacity: 4), .dropsOldest), (.oldest(capacity: 1), .countsDrops),
        (.oldest(capacity: 4), .dropsNewest),
        (.failing(capacity: 1), .fails), (.failing(capacity: 16), .fails),
    ])
    func `a buffer that drops`(_ buffering: BufferingPolicy, _ overflow: SequencePromises.Overflow) async {
        let promises = SequencePromises.right.with {
            $0.overflow = overflow
            $0.handsBackElements = true
        }
        let name = "CallbackSequence, \(buffering)"
        let violations = await SequenceLaws.check(name, promises: promises) { source in
            CallbackSequence<Int, any Error>(
                buffering: buffering,
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

    @Test(arguments: [
        BufferingPolicy.watermark(low: 4, high: 16), .watermark(low: 0, high: 1), .bounded(capacity: 16),
        .bounded(capacity: 0),
    ])
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

    /// As over a buffer that says at each element above its mark that its source is to pause.
    @Test func `one that asks its source again and again`() async {
        let promises = SequencePromises.right.with {
            $0.overflow = .pauses
            $0.handsBackElements = true
        }
        let violations = await SequenceLaws.check("CallbackSequence, asking twice", promises: promises) { source in
            CallbackSequence<Int, any Error>(
                buffering: .watermark(low: 4, high: 16),
                onUndelivered: { source.takeBack($0) }
            ) { sink in
                sink.onBackPressure(
                    pause: { for _ in 1...2 { source.pause() } },
                    resume: { for _ in 1...2 { source.resume() } }
                )
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

    @Test(arguments: RightSequenceBridge.ofPausing)
    func `an unusual one that pauses its source is not accused`(_ right: RightSequenceBridge) async {
        expectNone(await right.check())
    }

    @Test(arguments: RightSequenceBridge.all)
    func `an unusual one is not accused`(_ right: RightSequenceBridge) async { expectNone(await right.check()) }
}
