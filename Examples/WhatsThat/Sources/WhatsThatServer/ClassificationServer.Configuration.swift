// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import Foundation
public import Logging

extension ClassificationServer {
    /// Where a server listens, and what it allows.
    public struct Configuration: Sendable {
        /// The name or address of the interface; by default that which only this machine can reach.
        public var host = "127.0.0.1"
        /// The port; zero is any free one.
        public var port = 0
        /// Bytes of a picture's file.
        public var uploadLimit = 16 << 20
        /// How long an upload may take.
        public var uploadTimeout = BridgeTimeout.seconds(30)
        /// How many pictures are classified at once.
        public var running = ProcessInfo.processInfo.activeProcessorCount
        /// How many more may wait, or be on their way.
        public var waiting = 64
        /// What the page says of what can be recognised; one or two sentences.
        public var knowledge = ""
        /// Where the server says what it does.
        public var logger = Logger(label: "whatsthat") { _ in SwiftLogNoOpLogHandler() }

        /// A configuration; that of a silent server on a free port.
        public init() {}
    }

    /// Where a running server can be reached.
    public struct Address: Sendable, Hashable {
        /// As configured.
        public let host: String
        /// The port that was bound.
        public let port: Int

        /// `http://host:port`, without a slash at the end.
        public var url: String {
            self.host.contains(":") ? "http://[\(self.host)]:\(self.port)" : "http://\(self.host):\(self.port)"
        }
    }
}
