// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

/// The hub's bridges that stand on a sequence, each seen as a bridge from a push source to a sequence.
@Suite("The other bridges for many values obey the laws", .timeLimit(.minutes(10)))
struct OtherSequencesLawTests {
    private static func sequence(of source: SequenceSource) -> CallbackSequence<Int, any Error> {
        CallbackSequence { sink in
            let handle = source.start(
                onElement: sink.handler(),
                onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
            )
            return { handle.cancel() }
        }
    }

    @Test(arguments: [BufferingPolicy.unbounded, .watermark(low: 4, high: 16)])
    func share(_ buffering: BufferingPolicy) async {
        let promises = SequencePromises.right.with { $0.startsInConsumer = false }
        let violations = await SequenceLaws.check("share, \(buffering)", promises: promises) { source in
            Self.sequence(of: source).share(buffering: buffering)
        }
        expectNone(violations)
    }

    /// To handlers and back: what `forEach` loses, this bridge loses.
    @Test func `for each and back`() async {
        let promises = SequencePromises.right.with { $0.startsInConsumer = false }
        let violations = await SequenceLaws.check("forEach", promises: promises) { source in
            CallbackSequence<Int, any Error> { sink in
                let handle = Self.sequence(of: source).forEach { element in
                    sink.yield(element)
                } onCompletion: { result in
                    sink.finish(with: result)
                }
                return { handle.cancel() }
            }
        }
        expectNone(violations)
    }
}
