// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Stands between a manager and a daemon, and writes down what the daemon says: what the manager has to tell, then.
final class Tap: Sendable {
    private struct Record {
        /// The epochs of complete reports with a position, in order, with repetitions.
        var epochs: [String] = []
        var lineCount = 0
        var connectionCount = 0
    }

    let port: Int
    private let listener: any Channel
    private let record: SharedRecord

    /// The epochs that the daemon has reported, with repetitions.
    var epochs: [String] { self.record.value.withLock { $0.epochs } }
    /// How many lines of any kind have come.
    var lineCount: Int { self.record.value.withLock { $0.lineCount } }
    /// How often the daemon was reached.
    var connectionCount: Int { self.record.value.withLock { $0.connectionCount } }

    /// Listens, and connects to the daemon for each client.
    init(to daemon: Int) async throws {
        let record = SharedRecord()
        self.record = record
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { client in
                // Nothing may be read before there is somewhere to write it.
                ClientBootstrap(group: client.eventLoop)
                    .channelInitializer { daemon in
                        daemon.eventLoop.makeCompletedFuture {
                            try daemon.pipeline.syncOperations.addHandler(Half(other: client, record: record))
                        }
                    }
                    .connect(host: "127.0.0.1", port: daemon)
                    .flatMapThrowing { daemon in
                        record.value.withLock { $0.connectionCount += 1 }
                        try client.pipeline.syncOperations.addHandler(Half(other: daemon, record: nil))
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = self.listener.localAddress?.port ?? 0
    }

    func stop() async throws { try await self.listener.close().get() }

    private final class SharedRecord: Sendable {
        let value = Mutex(Record())
    }

    /// Passes on what one side says to the other.
    private final class Half: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel
        private let record: SharedRecord?
        private var rest = Data()

        init(other: any Channel, record: SharedRecord?) { (self.other, self.record) = (other, record) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = self.unwrapInboundIn(data)
            if let record { self.note(bytes, in: record) }
            self.other.writeAndFlush(bytes, promise: nil)
        }

        /// What was written before is sent before the end.
        func channelInactive(context: ChannelHandlerContext) { self.other.close(promise: nil) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func note(_ bytes: ByteBuffer, in record: SharedRecord) {
            self.rest.append(contentsOf: bytes.readableBytesView)
            while let end = self.rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = self.rest[..<end]
                let report = (try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any]
                self.rest = Data(self.rest[(end + 1)...])
                record.value.withLock { record in
                    record.lineCount += 1
                    if report?["lat"] != nil, let time = report?["time"] as? String { record.epochs.append(time) }
                }
            }
        }
    }
}
