// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Logging

extension QuoteServer {
    /// Where a server listens, what it keeps and what it allows.
    public struct Configuration: Sendable {
        /// The name or address of the interface.
        public var host: String
        /// The port; zero is any free one.
        public var port: Int
        /// Where the quotations are kept.
        public var database: Database
        /// What one address may ask for in a minute, or nil for no limit.
        ///
        /// The health route is not counted.
        public var requestsPerMinute: Int?
        /// Whether there is a route `/slow?seconds=`, with which a client can show what its cancellation does.
        public var hasSlowRoute: Bool
        /// Where the server says what it does.
        public var logger: Logger

        /// A configuration; without arguments that of a silent server on a free port, in memory.
        public init(
            host: String = "127.0.0.1",
            port: Int = 0,
            database: Database = .memory,
            requestsPerMinute: Int? = 180,
            hasSlowRoute: Bool = false,
            logger: Logger = Logger(label: "quotable") { _ in SwiftLogNoOpLogHandler() }
        ) {
            self.host = host
            self.port = port
            self.database = database
            self.requestsPerMinute = requestsPerMinute
            self.hasSlowRoute = hasSlowRoute
            self.logger = logger
        }
    }

    /// Where the quotations are kept.
    public enum Database: Sendable, Equatable, CustomStringConvertible {
        /// In this process, made anew at each start.
        case memory
        /// In a file, made at the first start.
        case file(String)

        /// The path, or `:memory:`.
        public var description: String {
            switch self {
            case .memory: ":memory:"
            case .file(let path): path
            }
        }
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
