// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import CStackSwitch
import CSwitchBaselines

/// To another stack and back.
enum SwitchBenchmarks {
    static let contests = [
        Contest(
            "Switch there and back",
            operations: 10_000_000,
            [
                .ours(
                    "CStackSwitch, in Swift",
                    .against("the least, in C", atMost: 1.3),
                    .against("Boost.Context", atMost: 0.125),
                    .against("a called routine")
                ) { Self.ours($0) },
                .peer("the least, in C") { keep(switch_baseline_inlined(UInt64($0))) },
                .peer("a called routine") { keep(switch_baseline_called(UInt64($0))) },
            ]
                + (switch_baseline_boost_is_available()
                    ? [.peer("Boost.Context") { keep(switch_baseline_boost(UInt64($0))) }] : [])
        )
    ]

    /// Both sides of a switch.
    private struct Pair {
        var here = cstack_context()
        var there = cstack_context()
        var count = 0
    }

    private static func ours(_ iterations: Int) {
        let size = 64 << 10
        let stack = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        let pair = UnsafeMutablePointer<Pair>.allocate(capacity: 1)
        pair.initialize(to: Pair())
        defer {
            pair.deallocate()
            stack.deallocate()
        }
        guard let here = pair.pointer(to: \.here), let there = pair.pointer(to: \.there) else { return }
        cstack_prepare(there, stack, size) { word in
            guard let word else { return }
            SwitchBenchmarks.otherSide(word.assumingMemoryBound(to: Pair.self))
        }
        // The word is the pair, both ways, so that no address is kept in the frame.
        var pair: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(pair)
        for _ in 0..<iterations {
            let current = Self.pair(pair)
            pair = cstack_switch(current.pointer(to: \.here)!, current.pointer(to: \.there)!, current)
        }
        precondition(pair.pointee.count == iterations)
    }

    @inline(never)
    private static func otherSide(_ pair: UnsafeMutablePointer<Pair>) {
        guard let here = pair.pointer(to: \.here), let there = pair.pointer(to: \.there) else { return }
        while true {
            pair.pointee.count += 1
            cstack_switch(there, here, nil)
        }
    }
}
