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
                    .againstIfInstalled("Boost.Context", atMost: 0.125),
                    .against("a called routine")
                ) { Self.ours($0) { Self.otherSide(Self.pair($0)) } },
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

    private typealias Context = UnsafeMutablePointer<cstack_context>

    private static func ours(_ iterations: Int, _ entry: @convention(c) (UnsafeMutableRawPointer?) -> Void) {
        let size = 64 << 10
        let stack = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        let pair = UnsafeMutablePointer<Pair>.allocate(capacity: 1)
        pair.initialize(to: Pair())
        defer {
            pair.deallocate()
            stack.deallocate()
        }
        cstack_prepare(Self.there(pair), stack, size, entry)
        var current = pair
        for _ in 0..<iterations {
            current = Self.pair(cstack_switch(Self.here(current), Self.there(current), current))
        }
        precondition(current.pointee.count == iterations)
    }

    @inline(never)
    private static func otherSide(_ pair: UnsafeMutablePointer<Pair>) {
        var current = pair
        while true {
            current.pointee.count += 1
            current = Self.pair(cstack_switch(Self.there(current), Self.here(current), current))
        }
    }

    // The word is the pair, both ways: so no address is kept in a frame across the switch.
    @inline(__always)
    private static func pair(_ word: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Pair> {
        word.unsafelyUnwrapped.assumingMemoryBound(to: Pair.self)
    }

    @inline(__always)
    private static func here(_ pair: UnsafeMutablePointer<Pair>) -> Context {
        pair.pointer(to: \.here).unsafelyUnwrapped
    }

    @inline(__always)
    private static func there(_ pair: UnsafeMutablePointer<Pair>) -> Context {
        pair.pointer(to: \.there).unsafelyUnwrapped
    }
}
