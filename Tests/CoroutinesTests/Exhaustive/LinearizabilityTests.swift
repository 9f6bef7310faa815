// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

/// What three callers saw of a channel could have been seen if each call had happened in one moment.
///
/// Three threads with three operations each: all the bugs that Kotlin's authors have found needed no more.
@Suite("A channel is linearizable", .serialized, .timeLimit(.minutes(30)))
struct LinearizabilityTests {
    @Test(arguments: BufferingPolicy.kinds)
    func `between coroutines`(type: BufferingPolicy) {
        let trio = Trio()
        defer { trio.stop() }
        var random = SplitMix(seed: 0xC0)
        var answers: Set<ChannelModel.Answer?> = []
        for number in 0..<StressScale.rounds(3000) {
            let programs = ChannelRecorder.programs(&random)
            let history = ChannelRecorder.playCoroutines(type, programs, on: trio)
            answers.formUnion(history.calls.map(\.answer))
            guard LinearizabilityChecker.accepts(history, of: ChannelModel(type)) else {
                Issue.record("\(type), history \(number): \(history.calls)")
                return
            }
        }
        #expect(answers.isSuperset(of: [.sent, .refused, .cancelled, .ended(.closed), .received(0)]))
    }

    @Test(arguments: BufferingPolicy.kinds)
    func `between tasks and coroutines`(type: BufferingPolicy) async {
        var random = SplitMix(seed: 0xC1)
        for number in 0..<StressScale.rounds(500) {
            let history = await ChannelRecorder.playMixed(type, ChannelRecorder.programs(&random))
            guard LinearizabilityChecker.accepts(history, of: ChannelModel(type)) else {
                Issue.record("\(type), history \(number): \(history.calls)")
                return
            }
        }
    }

    /// A channel of one kind is none of another kind, and the checker sees it.
    @Test(arguments: BufferingPolicy.kinds)
    func `a wrong model is rejected`(type: BufferingPolicy) {
        let trio = Trio()
        defer { trio.stop() }
        var random = SplitMix(seed: 0xC2)
        var wrong = BufferingPolicy.kinds.filter { $0 != type }
        for _ in 0..<5000 where !wrong.isEmpty {
            let history = ChannelRecorder.playCoroutines(type, ChannelRecorder.programs(&random), on: trio)
            wrong.removeAll { !LinearizabilityChecker.accepts(history, of: ChannelModel($0)) }
        }
        #expect(wrong.isEmpty, "taken for a channel of this kind")
    }
}
