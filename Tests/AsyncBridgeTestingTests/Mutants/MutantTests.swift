// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import MutationTestSupport
import Testing

/// A sample; `Scripts/test-mutants` runs all.
@Suite("Mutants of a one-shot bridge are named", .serialized, .timeLimit(.minutes(30)))
struct MutantTests {
    @Test func `without a fault, it is right`() async {
        expectNone(await OneShotLaws.check("call", promises: .right, MutatedCall.bridge(nil)))
    }

    @Test func `all are run before a release`() throws { try GuideToMutants.expectRun() }

    @Test func `are named`() async {
        await ForgottenCells.resumed {
            await MutantRun(MutatedCall.reference, sample: 8).check { mutant in
                let bridge = MutatedCall.bridge(mutant)
                // Up to the first scenario that names something.
                for name in OneShotLaws.scenarioNames() {
                    let violations = await OneShotLaws.check("mutant", promises: .wrong, only: [name], bridge)
                    if !violations.isEmpty { return true }
                }
                return false
            }
        }
    }
}
