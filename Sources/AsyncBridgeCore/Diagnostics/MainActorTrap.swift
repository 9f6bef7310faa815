// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge

/// The runtime's trap when code of the main actor is called elsewhere, which has no words on Linux.
package enum MainActorTrap {
    /// Says what the trap is to write to standard error before the process ends; the first call counts.
    ///
    /// - Parameter words: A line, with its end.
    package static func explain(_ words: StaticString) {
        // Safe: a literal's text ends with a zero, and stays for the life of the process.
        unsafe UnsafeRawPointer(words.utf8Start).withMemoryRebound(
            to: CChar.self,
            capacity: words.utf8CodeUnitCount + 1
        ) {
            unsafe casyncbridge_explain_main_actor_trap($0)
        }
    }
}
