// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge

/// How many waits that began at a place are going on: each is parked, or about to be in the very next step.
func waits(at site: CallSite) -> Int { BridgeDiagnostics.pendingWaits.count { $0.made == site } }

/// Every order of the steps of several participants, each of which takes its own in order.
func forEachOrder<Step>(of participants: [[Step]], after taken: [Step] = [], _ body: ([Step]) -> Void) {
    var isDone = true
    for (index, steps) in participants.enumerated() {
        guard let step = steps.first else { continue }
        isDone = false
        var rest = participants
        rest[index].removeFirst()
        forEachOrder(of: rest, after: taken + [step], body)
    }
    if isDone { body(taken) }
}
#endif
