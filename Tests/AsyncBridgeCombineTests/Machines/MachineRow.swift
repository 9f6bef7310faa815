// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

/// What an event makes of a state: a row of a machine's table.
struct MachineRow<Stage: Sendable, Event: Sendable, Answer: Sendable>: Sendable, CustomTestStringConvertible {
    let before: Stage
    let event: Event
    let answer: Answer
    let after: Stage

    init(_ before: Stage, _ event: Event, _ answer: Answer, _ after: Stage) {
        self.before = before
        self.event = event
        self.answer = answer
        self.after = after
    }

    var testDescription: String { "\(self.before), \(self.event)" }
}
