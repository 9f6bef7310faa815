// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import Foundation

/// How much the stress tests do.
enum StressScale {
    /// So many rounds, times what `Scripts/test-stress` asks for.
    static func rounds(_ count: Int) -> Int {
        let multiplier = ProcessInfo.processInfo.environment["STRESS_MULTIPLIER"].flatMap(Double.init) ?? 1
        return max(1, Int(Double(count) * multiplier))
    }
}
#endif
