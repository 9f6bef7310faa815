// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

@Suite("CallbackSequence obeys the laws")
struct RightSequenceBridgeTests {
    init() { quietDiagnostics() }

    @Test func unbounded() async {
        let violations = await SequenceLaws.check("CallbackSequence", promises: .right) { source in
            CallbackSequence<Int, any Error> { sink in
                let handle = source.start(
                    onElement: sink.handler(),
                    onCompletion: { error in if let error { sink.fail(error) } else { sink.finish() } }
                )
                return { handle.cancel() }
            }
        }
        expectNone(violations)
    }
}
