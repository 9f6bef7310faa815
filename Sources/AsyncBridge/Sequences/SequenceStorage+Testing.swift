// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

extension SequenceStorage {
    /// Applies an event to the machine, for tests that act between two others.
    package func apply<Action: Sendable>(_ event: (inout sending Machine) -> sending Action) -> Action {
        self.machine.withLock(event)
    }
}
