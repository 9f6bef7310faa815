// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CStackSwitchTestSupport
import Testing

/// The switch as part of Swift functions.
@Suite("CStackSwitch in Swift", .timeLimit(.minutes(10)))
struct SwitchTests {
    @Test func `words go both ways`() {
        let flow = TestFlow { flow in
            var word = flow.suspend(1)
            while word != 0 { word = flow.suspend(word * 2) }
        }
        #expect(flow.resume() == 1)
        #expect(flow.resume(21) == 42)
        #expect(flow.resume(-1) == -2)
        #expect(flow.resume(0) == 0)
        #expect(flow.isFinished)
    }

    @Test func `a million round trips`() {
        let flow = TestFlow { flow in
            var sum = 0
            while true {
                let word = flow.suspend(sum)
                if word == 0 { break }
                sum += word
            }
        }
        var last = flow.resume()
        for number in 1...1_000_000 { last = flow.resume(number) }
        flow.resume(0)
        #expect(last == 500_000_500_000)
    }

    @Test func `the flow runs on its own stack`() {
        let flow = TestFlow { flow in flow.suspend(Int(bitPattern: cstacktest_frame())) }
        let low = UInt(bitPattern: flow.stack.baseAddress)
        let memory = low..<low + UInt(flow.stack.count)
        #expect(memory.contains(UInt(bitPattern: flow.resume())))
        #expect(!memory.contains(UInt(bitPattern: cstacktest_frame())))
        flow.resume()
    }

    @Test func `values survive on both sides`() {
        @inline(never) func work(_ seed: Int, step: () -> Void) -> String {
            var integers = (seed, seed + 1, seed + 2, seed + 3, seed + 4, seed + 5, seed + 6)
            var doubles = (0.5, 1.5, 2.5, 3.5)
            var vector = SIMD8<Double>(repeating: Double(seed))
            var text = ""
            for turn in 0..<100 {
                step()
                integers.0 += 1
                integers.1 += integers.0
                integers.2 += integers.1
                integers.3 ^= integers.2
                integers.4 &+= integers.3
                integers.5 += turn
                integers.6 -= turn
                doubles = (doubles.1, doubles.2, doubles.3, doubles.0 + 1)
                vector += SIMD8(0, 1, 2, 3, 4, 5, 6, 7)
                text += "\(turn % 10)"
            }
            return "\(integers) \(doubles) \(vector) \(text)"
        }
        nonisolated(unsafe) var inside = ""
        let flow = TestFlow { flow in inside = work(2) { flow.suspend() } }
        let outside = work(1) { flow.resume() }
        flow.resume()
        #expect(outside == work(1) {})
        #expect(inside == work(2) {})
    }

    @Test func `flows resume flows`() {
        /// Counts a binary tree's leaves, each level of it in a flow of its own.
        func leaves(_ depth: Int) -> TestFlow {
            TestFlow(stackSize: 64 * 1024) { flow in
                guard depth > 0 else {
                    flow.suspend(1)
                    return
                }
                for _ in 0..<2 {
                    let child = leaves(depth - 1)
                    while case let word = child.resume(), !child.isFinished { flow.suspend(word) }
                }
            }
        }
        let root = leaves(7)
        var count = 0
        while case let word = root.resume(), !root.isFinished { count += word }
        #expect(count == 128)
    }

    @Test func `suspends inside other people's functions`() {
        nonisolated(unsafe) var sorted: [Int] = []
        let flow = TestFlow { flow in
            sorted = [3, 1, 2].map { flow.suspend($0) }.sorted { left, right in
                flow.suspend()
                return left < right
            }
        }
        #expect(flow.resume() == 3)
        #expect(flow.resume(30) == 1)
        #expect(flow.resume(10) == 2)
        flow.resume(20)
        while !flow.isFinished { flow.resume() }
        #expect(sorted == [10, 20, 30])
    }

    @Test func `errors are thrown inside a flow`() {
        struct Failure: Error { var number: Int }
        nonisolated(unsafe) var events: [String] = []
        let flow = TestFlow { flow in
            func fail() throws {
                defer { events.append("defer") }
                throw Failure(number: flow.suspend())
            }
            do { try fail() } catch let failure as Failure { events.append("caught \(failure.number)") } catch {}
        }
        flow.resume()
        flow.resume(7)
        #expect(flow.isFinished)
        #expect(events == ["defer", "caught 7"])
    }

    @Test func `references are released at the end`() {
        final class Probe {}
        weak var probe: Probe?
        do {
            let strong = Probe()
            probe = strong
            let flow = TestFlow { flow in
                flow.suspend()
                withExtendedLifetime(strong) {}
            }
            flow.resume()
            flow.resume()
        }
        #expect(probe == nil)
    }

    @Test(.enabled(if: !cstacktest_keeps_frames_elsewhere()))
    func `a flow continues on other threads`() async {
        let flow = TestFlow { flow in
            for number in 1...100 { flow.suspend(number) }
        }
        var sum = 0
        for _ in 1...100 { sum += await Task.detached { flow.resume() }.value }
        await Task.detached { _ = flow.resume() }.value
        #expect(flow.isFinished)
        #expect(sum == 5050)
    }

    @Test func `an async function resumes a flow`() async {
        let flow = TestFlow { flow in
            for number in 1...100 { flow.suspend(number) }
        }
        var sum = 0
        while case let word = flow.resume(), !flow.isFinished {
            await Task.yield()
            sum += word
        }
        #expect(sum == 5050)
    }
}
