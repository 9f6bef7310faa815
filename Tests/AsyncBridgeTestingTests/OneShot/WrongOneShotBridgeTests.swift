// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Synchronization
import Testing

@Suite("Wrong one-shot bridges are caught")
struct WrongOneShotBridgeTests {
    @Test func resumesOnlyOnSuccess() async {
        let violations = await OneShotLaws.check("only success", promises: .wrong) { source in
            try await withCell { cell in
                _ = source.start { if case .success(let value) = $0 { cell.resume(.success(value)) } }
            }.get()
        }
        expect(violations, name: .neverLost, when: "the source fails at once")
        expect(violations, name: .neverLost, when: "the source fails later")
    }

    @Test func ignoresCancellation() async {
        let violations = await OneShotLaws.check("no cancellation", promises: .wrong) { source in
            try await withCell { cell in
                _ = source.start { cell.resume($0) }
            }.get()
        }
        expect(violations, name: .cancellation, when: "the task is cancelled during the wait")
    }
}
