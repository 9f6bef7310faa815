// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Synchronization

extension Atomic where Value == UInt {
    /// Applies an event to the state that the word holds, again whenever another thread has changed it meanwhile.
    ///
    /// Release and acquire together: a thread that sees the new state sees what was written before it, and the event
    /// sees what was written before the state that it gets. All parts are needed: see "Orders of memory" in this
    /// module's README.
    ///
    /// - Parameter event: The next state, or nothing to leave it, and what to return. May be called several times.
    /// - Returns: What the last call of the event returned.
    @_alwaysEmitIntoClient @inline(__always)
    package func update<Action>(_ event: (UInt) -> (next: UInt?, action: Action)) -> Action {
        var seen = self.load(ordering: .acquiring)
        while true {
            let (next, action) = event(seen)
            // Nothing to change, and so nothing to race for.
            guard let next, next != seen else { return action }
            let (exchanged, original) = self.compareExchange(
                expected: seen,
                desired: next,
                ordering: .acquiringAndReleasing
            )
            if exchanged { return action }
            seen = original
        }
    }
}
