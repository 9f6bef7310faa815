// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

/// Histories written by hand, right and wrong.
@Suite("The checker of histories", .timeLimit(.minutes(60)))
struct LinearizabilityCheckerTests {
    typealias Call = ChannelHistory.Call

    static func accepts(_ type: BufferingPolicy, _ calls: Call...) -> Bool {
        LinearizabilityChecker.accepts(ChannelHistory(calls), of: ChannelModel(type))
    }

    @Test func nothing() {
        #expect(Self.accepts(.rendezvous))
    }

    @Test func `what nobody sent`() {
        #expect(!Self.accepts(.unbounded, Call(0, .receive, 1, 2, .received(7))))
        #expect(!Self.accepts(.unbounded, Call(0, .send(6), 1, 2, .sent), Call(1, .poll, 3, 4, .received(7))))
    }

    @Test func `what is received twice`() {
        let sent = Call(0, .send(7), 1, 2, .sent)
        #expect(Self.accepts(.unbounded, sent, Call(1, .receive, 3, 4, .received(7))))
        #expect(
            !Self.accepts(.unbounded, sent, Call(1, .receive, 3, 4, .received(7)), Call(2, .poll, 3, 5, .received(7)))
        )
    }

    @Test func `the order`() {
        let (first, second) = (Call(1, .receive, 5, 6, .received(8)), Call(1, .receive, 7, 8, .received(7)))
        // The first send is over before the second begins.
        let inTurn = [Call(0, .send(7), 1, 2, .sent), Call(0, .send(8), 3, 4, .sent)]
        #expect(!Self.accepts(.unbounded, inTurn[0], inTurn[1], first, second))
        // They overlap.
        let atOnce = [Call(0, .send(7), 1, 3, .sent), Call(2, .send(8), 2, 4, .sent)]
        #expect(Self.accepts(.unbounded, atOnce[0], atOnce[1], first, second))
    }

    @Test func `what is there is found`() {
        #expect(!Self.accepts(.unbounded, Call(0, .offer(7), 1, 2, .sent), Call(1, .poll, 3, 4, .refused)))
        #expect(Self.accepts(.unbounded, Call(0, .offer(7), 1, 3, .sent), Call(1, .poll, 2, 4, .refused)))
    }

    @Test func `nobody waits who need not`() {
        let waiting = Call(1, .receive, 3, .max, nil)
        #expect(Self.accepts(.unbounded, waiting))
        #expect(!Self.accepts(.unbounded, Call(0, .send(7), 1, 2, .sent), waiting))
        #expect(!Self.accepts(.rendezvous, Call(0, .send(7), 1, .max, nil), waiting))
        #expect(!Self.accepts(.rendezvous, Call(0, .close, 1, 2, nil), waiting))
    }

    @Test func `a rendezvous takes two`() {
        #expect(!Self.accepts(.rendezvous, Call(0, .send(7), 1, 2, .sent), Call(1, .receive, 3, 4, .received(7))))
        #expect(Self.accepts(.rendezvous, Call(0, .send(7), 1, 3, .sent), Call(1, .receive, 2, 4, .received(7))))
        #expect(!Self.accepts(.rendezvous, Call(0, .offer(7), 1, 2, .sent)))
    }

    @Test func `who waits longest is served first`() {
        let sends = [Call(2, .send(7), 3, 4, .sent), Call(2, .send(8), 5, 8, .sent)]
        // Both came before the first element, in whichever order.
        let atOnce = [Call(0, .receive, 1, 6, .received(8)), Call(1, .receive, 2, 7, .received(7))]
        #expect(Self.accepts(.rendezvous, atOnce[0], atOnce[1], sends[0], sends[1]))
    }

    @Test func `a buffer holds what it holds`() {
        let three = (1...3).map { Call(0, .offer($0), $0 * 2, $0 * 2 + 1, .sent) }
        #expect(!Self.accepts(.bounded(capacity: 2), three[0], three[1], three[2]))
        #expect(Self.accepts(.unbounded, three[0], three[1], three[2]))
        #expect(Self.accepts(.newest(capacity: 1), three[0], three[1], three[2], Call(0, .poll, 9, 10, .received(3))))
        #expect(!Self.accepts(.newest(capacity: 1), three[0], three[1], three[2], Call(0, .poll, 9, 10, .received(1))))
    }

    @Test func `the end`() {
        let closed = Call(0, .close, 1, 2, nil)
        #expect(Self.accepts(.rendezvous, closed, Call(1, .receive, 3, 4, .ended(.closed))))
        #expect(!Self.accepts(.rendezvous, closed, Call(1, .receive, 3, 4, .cancelled)))
        #expect(Self.accepts(.rendezvous, closed, Call(1, .receive, 3, 5, .cancelled), Call(0, .cancel, 4, 6, nil)))
        #expect(!Self.accepts(.unbounded, closed, Call(1, .send(7), 3, 4, .sent)))
        #expect(Self.accepts(.rendezvous, Call(0, .cancelCaller(1), 1, 2, nil), Call(1, .receive, 3, 4, .cancelled)))
        #expect(!Self.accepts(.rendezvous, Call(0, .cancelCaller(2), 1, 2, nil), Call(1, .receive, 3, 4, .cancelled)))
    }
}
