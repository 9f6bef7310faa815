// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

// Numbers the selections, so that each is mixed differently.
private let selectionCount = Atomic<UInt64>(0)

/// Random-looking numbers from consecutive numbers.
///
/// SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
struct SelectMixer {
    private var state: UInt64

    init() { self.state = selectionCount.wrappingAdd(1, ordering: .relaxed).newValue &* 0xBF58_476D_1CE4_E5B9 }

    private mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, the bound, which is below 2³².
    mutating func next(below bound: Int) -> Int { Int(((self.next() >> 32) &* UInt64(bound)) >> 32) }
}
