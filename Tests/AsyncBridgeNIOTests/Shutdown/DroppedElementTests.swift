// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import NIOCore
import Testing

@Suite("Elements on their way to an event loop that ends", .timeLimit(.minutes(10)))
struct DroppedElementTests {
    @Test
    func `an element that the loop drops goes to onUnsent, once`() throws {
        let (channel, unsent) = (ChannelThatStops(), Collected<String>())
        let lines = try channel.bridge(inbound: String.self, outbound: String.self, onUnsent: { unsent.append($0) })
        #expect(lines.outbound.offer("a"))
        #expect(channel.written == ["a"])
        // The pump waits for the next one, and the loop has not yet told it of the end.
        channel.loop.stop()
        #expect(lines.outbound.offer("b"))
        #expect(channel.written == ["a"])
        #expect(unsent.all == ["b"])
        channel.remove()
    }
}
#endif
