// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@testable import AsyncBridgeFutures
@testable import Coroutines

/// What three parties saw of a channel could have been seen if each call had happened in one moment.
///
/// Three threads with three operations each: all the bugs that Kotlin's authors have found needed no more.
@Suite("A channel is linearizable", .serialized, .timeLimit(.minutes(30)))
struct LinearizabilityTests {
    typealias BufferType = CoChannel<Int>.BufferType

    @Test(arguments: BufferType.kinds)
    func betweenCoroutines(type: BufferType) {
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

    @Test(arguments: BufferType.kinds)
    func betweenTasksAndCoroutines(type: BufferType) async {
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
    @Test(arguments: BufferType.kinds)
    func aWrongModelIsRejected(type: BufferType) {
        let trio = Trio()
        defer { trio.stop() }
        var random = SplitMix(seed: 0xC2)
        var wrong = BufferType.kinds.filter { $0 != type }
        for _ in 0..<5000 where !wrong.isEmpty {
            let history = ChannelRecorder.playCoroutines(type, ChannelRecorder.programs(&random), on: trio)
            wrong.removeAll { !LinearizabilityChecker.accepts(history, of: ChannelModel($0)) }
        }
        #expect(wrong.isEmpty, "taken for a channel of this kind")
    }
}

/// Histories written by hand, right and wrong.
@Suite("The checker of histories")
struct LinearizabilityCheckerTests {
    typealias Call = ChannelHistory.Call

    static func accepts(_ type: CoChannel<Int>.BufferType, _ calls: Call...) -> Bool {
        LinearizabilityChecker.accepts(ChannelHistory(calls), of: ChannelModel(type))
    }

    @Test func nothing() {
        #expect(Self.accepts(.none))
    }

    @Test func whatNobodySent() {
        #expect(!Self.accepts(.unlimited, Call(0, .receive, 1, 2, .received(7))))
        #expect(!Self.accepts(.unlimited, Call(0, .send(6), 1, 2, .sent), Call(1, .poll, 3, 4, .received(7))))
    }

    @Test func whatIsReceivedTwice() {
        let sent = Call(0, .send(7), 1, 2, .sent)
        #expect(Self.accepts(.unlimited, sent, Call(1, .receive, 3, 4, .received(7))))
        #expect(
            !Self.accepts(.unlimited, sent, Call(1, .receive, 3, 4, .received(7)), Call(2, .poll, 3, 5, .received(7)))
        )
    }

    @Test func theOrder() {
        let (first, second) = (Call(1, .receive, 5, 6, .received(8)), Call(1, .receive, 7, 8, .received(7)))
        // The first send is over before the second begins.
        let inTurn = [Call(0, .send(7), 1, 2, .sent), Call(0, .send(8), 3, 4, .sent)]
        #expect(!Self.accepts(.unlimited, inTurn[0], inTurn[1], first, second))
        // They overlap.
        let atOnce = [Call(0, .send(7), 1, 3, .sent), Call(2, .send(8), 2, 4, .sent)]
        #expect(Self.accepts(.unlimited, atOnce[0], atOnce[1], first, second))
    }

    @Test func whatIsThereIsFound() {
        #expect(!Self.accepts(.unlimited, Call(0, .offer(7), 1, 2, .sent), Call(1, .poll, 3, 4, .refused)))
        #expect(Self.accepts(.unlimited, Call(0, .offer(7), 1, 3, .sent), Call(1, .poll, 2, 4, .refused)))
    }

    @Test func nobodyWaitsWhoNeedNot() {
        let waiting = Call(1, .receive, 3, .max, nil)
        #expect(Self.accepts(.unlimited, waiting))
        #expect(!Self.accepts(.unlimited, Call(0, .send(7), 1, 2, .sent), waiting))
        #expect(!Self.accepts(.none, Call(0, .send(7), 1, .max, nil), waiting))
        #expect(!Self.accepts(.none, Call(0, .close, 1, 2, nil), waiting))
    }

    @Test func aRendezvousTakesTwo() {
        #expect(!Self.accepts(.none, Call(0, .send(7), 1, 2, .sent), Call(1, .receive, 3, 4, .received(7))))
        #expect(Self.accepts(.none, Call(0, .send(7), 1, 3, .sent), Call(1, .receive, 2, 4, .received(7))))
        #expect(!Self.accepts(.none, Call(0, .offer(7), 1, 2, .sent)))
    }

    @Test func whoWaitsLongestIsServedFirst() {
        let sends = [Call(2, .send(7), 3, 4, .sent), Call(2, .send(8), 5, 8, .sent)]
        // Both came before the first element, in whichever order.
        let atOnce = [Call(0, .receive, 1, 6, .received(8)), Call(1, .receive, 2, 7, .received(7))]
        #expect(Self.accepts(.none, atOnce[0], atOnce[1], sends[0], sends[1]))
    }

    @Test func aBufferHoldsWhatItHolds() {
        let three = (1...3).map { Call(0, .offer($0), $0 * 2, $0 * 2 + 1, .sent) }
        #expect(!Self.accepts(.buffered(capacity: 2), three[0], three[1], three[2]))
        #expect(Self.accepts(.unlimited, three[0], three[1], three[2]))
        #expect(Self.accepts(.conflated, three[0], three[1], three[2], Call(0, .poll, 9, 10, .received(3))))
        #expect(!Self.accepts(.conflated, three[0], three[1], three[2], Call(0, .poll, 9, 10, .received(1))))
    }

    @Test func theEnd() {
        let closed = Call(0, .close, 1, 2, nil)
        #expect(Self.accepts(.none, closed, Call(1, .receive, 3, 4, .ended(.closed))))
        #expect(!Self.accepts(.none, closed, Call(1, .receive, 3, 4, .cancelled)))
        #expect(Self.accepts(.none, closed, Call(1, .receive, 3, 5, .cancelled), Call(0, .cancel, 4, 6, nil)))
        #expect(!Self.accepts(.unlimited, closed, Call(1, .send(7), 3, 4, .sent)))
        #expect(Self.accepts(.none, Call(0, .cancelParty(1), 1, 2, nil), Call(1, .receive, 3, 4, .cancelled)))
        #expect(!Self.accepts(.none, Call(0, .cancelParty(2), 1, 2, nil), Call(1, .receive, 3, 4, .cancelled)))
    }
}
