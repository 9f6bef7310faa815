// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Random numbers that are the same for the same seed, so that a failure can be repeated: Steele's SplitMix64.
package struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { self.state = seed }

    package mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SplitMix {
    /// Whether something happens that happens once in so many times.
    mutating func isOne(of count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// One of several, which are not none.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }
}
