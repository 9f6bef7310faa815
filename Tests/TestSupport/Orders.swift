// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Every order of the steps of several participants, each of which takes its own in order.
package func forEachOrder<Step>(of participants: [[Step]], after taken: [Step] = [], _ body: ([Step]) -> Void) {
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
