// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

extension SequenceStorage {
    /// Applies an event to the machine, for tests that come between two others.
    package func apply<Duty: Sendable>(_ event: (inout sending Machine) -> sending Duty) -> Duty {
        self.machine.withLock(event)
    }
}
