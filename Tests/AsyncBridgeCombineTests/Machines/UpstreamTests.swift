// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import OpenCombineShim
import Testing

import AsyncBridgeCombine

/// What the lock around the machine does with its answers.
@Suite("Upstream", .timeLimit(.minutes(10)))
final class UpstreamTests {
    private let upstream = Upstream()
    private let subscription = HandSubscription(Receiver(HandSubscriber<Int, Never>()))

    // It holds the subscription, whose actions hold it.
    deinit { self.upstream.cancel() }

    @Test
    func `a request inside a request is made after it, in one`() {
        let depth = Count()
        let deepest = Collected<Int>()
        let left = Count()
        self.subscription.onRequest { [upstream] _ in
            deepest.append(depth.add())
            // Twice as many, inside the first three.
            if left.add() <= 3 {
                upstream.request(.max(1))
                upstream.request(.max(1))
            }
            depth.add(-1)
        }
        self.upstream.receive(self.subscription)
        self.upstream.request(.max(1))
        #expect(self.subscription.requests == [.max(1), .max(2), .max(2), .max(2)])
        #expect(deepest.all == [1, 1, 1, 1])
    }

    @Test
    func `requests inside requests do not recurse`() {
        let count = Count()
        self.subscription.onRequest { [upstream] _ in
            if count.add() < ChainDepth.standard { upstream.request(.max(1)) }
        }
        self.upstream.receive(self.subscription)
        self.upstream.request(.max(1))
        #expect(count.value == ChainDepth.standard)
        self.upstream.complete()
    }

    @Test
    func `a cancellation does not wait for a request, and nothing is asked for after it`() {
        self.subscription.onRequest { [upstream, subscription] _ in
            upstream.request(.max(5))
            upstream.cancel()
            #expect(subscription.cancels == 1)
            upstream.request(.max(7))
        }
        self.upstream.receive(self.subscription)
        self.upstream.request(.max(1))
        #expect(self.subscription.requests == [.max(1)] && self.subscription.cancels == 1)
        self.upstream.cancel()
        #expect(self.subscription.cancels == 1)
        // It holds the subscription, which holds it.
        self.subscription.onRequest { _ in }
    }

    @Test
    func `a completion inside a request releases the subscription, and cancels nothing`() {
        self.subscription.onRequest { [upstream] _ in
            upstream.request(.max(5))
            upstream.complete()
        }
        self.upstream.receive(self.subscription)
        self.upstream.request(.max(1))
        self.upstream.cancel()
        #expect(self.subscription.requests == [.max(1)] && self.subscription.cancels == 0)
    }

    @Test
    func `no demand is no request`() {
        self.upstream.receive(self.subscription)
        self.upstream.request(.none)
        #expect(self.subscription.requests.isEmpty)
    }
}
#endif
