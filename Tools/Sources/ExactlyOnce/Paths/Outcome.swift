// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The paths that leave a step, by the way on which they leave.
package struct Outcome: Sendable {
    /// A way out of a step, with the paths that take it.
    package struct Leaving: Sendable {
        package var exit: Exit
        package var states: States
    }

    package var normal = States()
    package var exits: [Leaving] = []

    package init(_ normal: States = States()) { self.normal = normal }

    mutating func leave(_ exit: Exit, _ states: States) {
        guard !states.isEmpty else { return }
        if let index = exits.firstIndex(where: { $0.exit == exit }) {
            exits[index].states.formUnion(states)
        } else {
            exits.append(Leaving(exit: exit, states: states))
        }
    }

    mutating func add(exitsOf other: Outcome) {
        for leaving in other.exits { leave(leaving.exit, leaving.states) }
    }

    mutating func formUnion(_ other: Outcome) {
        normal.formUnion(other.normal)
        add(exitsOf: other)
    }

    /// Takes out the exits that this statement ends, and answers their states.
    mutating func take(_ isTaken: (Exit.Kind) -> Bool) -> States {
        var states = States()
        for leaving in exits where isTaken(leaving.exit.kind) { states.formUnion(leaving.states) }
        exits.removeAll { isTaken($0.exit.kind) }
        return states
    }
}
