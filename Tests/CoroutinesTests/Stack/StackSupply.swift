// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import CCoroutines
import Coroutines

/// How many stacks the tests may have at once on this system.
enum StackSupply {
    /// Whether guards take mappings of the process, as on Linux before 6.13.
    ///
    /// All tests of a process share its mappings: one that takes them all makes the others fail.
    static let guardsTakeMappings: Bool = {
        // Has no mappings to take.
        let stacks = SharedStacks(of: StackSize(kibibytes: 32), guardedBy: StackGuards(mappingLimit: 0))
        guard let block = try? stacks.acquire() else { return true }
        block.pointee.next = nil
        stacks.release(block)
        return false
    }()
}

extension StressScale {
    /// So many coroutines alive at once.
    ///
    /// Fewer under ThreadSanitizer, which knows some 8000 threads and fibres in all, and where guards take mappings.
    static func alive(_ count: Int) -> Int {
        #if THREAD_SANITIZER
        min(count, 2000)
        #else
        StackSupply.guardsTakeMappings ? min(count, 4000) : count
        #endif
    }
}
