// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import AsyncBridgeTesting
import NIOCore
import NIOPosix
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A channel's inbound: what the law suite's source sends is read from a channel, on that channel's loop.
@Suite("A bridged channel's inbound obeys the laws", .timeLimit(.minutes(5)))
struct BridgedChannelLawTests {
    /// Puts what a source sends into a pipeline, and ends its input when the source is gone.
    private final class Wire: Sendable {
        private let channel: any Channel
        /// Without senders the pipe ends, and the inbound with it.
        private let outbound: CoChannel<Never>.Sender

        init(_ bridged: BridgedChannel<Int, Never>) {
            (self.channel, self.outbound) = (bridged.channel, bridged.outbound)
        }

        // The source is gone without an end.
        deinit { Self.end(self.channel, LoopError()) }

        func send(_ element: Int) {
            let channel = self.channel
            channel.eventLoop.execute { channel.pipeline.fireChannelRead(element) }
        }

        func end(_ error: (any Error)?) { Self.end(self.channel, error) }

        private static func end(_ channel: any Channel, _ error: (any Error)?) {
            channel.eventLoop.execute {
                if let error {
                    channel.pipeline.fireErrorCaught(error)
                } else {
                    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
                }
            }
        }
    }

    /// A pipe without a reader, as a channel that has nothing to do with sockets of its own.
    private static func bridgedPipe(
        onUndelivered: @escaping @Sendable (Int) -> Void
    ) throws -> BridgedChannel<Int, Never> {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw LoopError() }
        let bridged = CoPromise<BridgedChannel<Int, Never>>()
        _ = try NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    bridged.success(
                        try channel.bridge(
                            inbound: Int.self,
                            outbound: Never.self,
                            onUndelivered: { onUndelivered($0) }
                        )
                    )
                }
            }
            .takingOwnershipOfDescriptors(input: ends[0], output: ends[1])
            .wait()
        guard let result = bridged.result else { throw LoopError() }
        return try result.get()
    }

    @Test func inbound() async {
        let promises = SequencePromises.standard.with {
            $0.startsInConsumer = false
            $0.handsBackElements = true
            // Another loop over the inbound may go on.
            $0.stopsWhenLeft = false
            // The tests beside this one keep the pool's threads busy.
            $0.patience = .seconds(30)
        }
        let violations = await SequenceLaws.check("inbound", promises: promises) { source in
            guard let bridged = try? Self.bridgedPipe(onUndelivered: { source.takeBack($0) }) else {
                return CoChannel<Int>().receiver
            }
            let wire = Wire(bridged)
            let handle = source.start(onElement: { wire.send($0) }, onCompletion: { wire.end($0) })
            bridged.inbound.whenComplete { handle.cancel() }
            return bridged.inbound
        }
        #expect(violations.isEmpty, "\(violations)")
    }
}
#endif
