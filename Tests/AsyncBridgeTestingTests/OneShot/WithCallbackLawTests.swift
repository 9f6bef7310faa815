// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

@Suite("withCallback obeys the laws")
struct WithCallbackLawTests {
    init() { quietDiagnostics() }

    @Test func prompt() async {
        let violations = await OneShotLaws.check("withCallback", promises: .right.with { $0.handsBackLateValues = true }) {
            source in
            try await withCallback(onUndelivered: { source.takeBack($0) }) { callback in
                source.start { callback.resume(with: $0) }
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }

    @Test func cooperative() async {
        let promises = OneShotPromises.right.with { $0.cancellation = .cooperative }
        let violations = await OneShotLaws.check("withCallback, cooperative", promises: promises) { source in
            try await withCallback(cancellation: .cooperative) { callback in
                source.start(callback.handler())
            } onCancel: {
                $0.cancel()
            }
        }
        expectNone(violations)
    }
}
