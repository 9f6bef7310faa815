// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// How much the stress tests do.
package enum StressScale {
    /// So many rounds, times what `Scripts/test-stress` asks for.
    package static func rounds(_ count: Int) -> Int {
        let multiplier = ProcessInfo.processInfo.environment["STRESS_MULTIPLIER"].flatMap(Double.init) ?? 1
        return max(1, Int(Double(count) * multiplier))
    }
}
