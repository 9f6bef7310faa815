// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ConnectionLimits
import GRDB
import Hummingbird
import HummingbirdCore
import Logging
import ServerSupport
public import ServiceLifecycle

/// A server for the Quotable API, over quotations in the public domain.
///
/// As a service of a program:
///
/// ```swift
/// let server = QuoteServer(configuration: .init(port: 8080, database: .file("quotable.sqlite")))
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
///
/// For as long as a closure runs, on a free port:
///
/// ```swift
/// try await QuoteServer.withServer { address in
///     try await URLSession.shared.data(from: URL(string: "\(address.url)/random")!)
/// }
/// ```
public struct QuoteServer: Service {
    private let configuration: Configuration
    private let onStart: @Sendable (Address) async -> Void

    /// A server that does not run yet.
    ///
    /// - Parameters:
    ///   - configuration: Where it listens, what it keeps and what it allows.
    ///   - onStart: Called once, when the port is bound and connections are accepted.
    public init(
        configuration: Configuration = Configuration(),
        onStart: @escaping @Sendable (Address) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.onStart = onStart
    }

    /// Opens the database and serves until the task is cancelled or a graceful shutdown begins.
    ///
    /// - Throws: An error of the database, or of the system if the address is in use or unknown. A shutdown is no
    ///   error.
    public func run() async throws {
        let store = try Store(self.configuration.database)
        let counts = try await store.counts()
        self.configuration.logger.info(
            "Opened the database",
            metadata: [
                "database": "\(self.configuration.database)",
                "quotes": "\(counts.quotes)", "authors": "\(counts.authors)", "tags": "\(counts.tags)",
            ]
        )
        defer { try? store.database.close() }
        try await Self.application(configuration, store: store, onStart: self.onStart).run()
    }

    /// The application without its database, for tests, which may add routes and tell another time.
    static func application(
        _ configuration: Configuration,
        store: Store,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        onStart: @escaping @Sendable (Address) async -> Void = { _ in },
        moreRoutes: (Router<QuotableContext>) -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router(context: QuotableContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: AccessLog())
        router.add(middleware: ErrorAnswers())
        router.add(middleware: LengthLimit())
        if let limit = configuration.requestsPerMinute {
            router.add(middleware: RateLimit(perMinute: limit, now: now))
            // Again, so that the answers with errors of the routes pass the limit and get its headers.
            router.add(middleware: ErrorAnswers())
        }
        Routes(store: store).add(to: router)
        if configuration.hasSlowRoute { SlowRoute().add(to: router) }
        moreRoutes(router)
        let logger = configuration.logger
        let departures = Departures()
        return Application(
            responder: DepartureWatch(responder: router.buildResponder(), departures: departures),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        MalformedRequestAnswers(json: Refusal.malformed), departures.makeWatch(),
                    ],
                    // A client that says nothing for long does not keep its connection.
                    idleTimeout: .seconds(60)
                )
            ),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "quotable",
                availableConnectionsDelegate: MaximumAvailableConnections(ConnectionLimit.ofProcess(atMost: 512))
            ),
            onServerRunning: { channel in
                // Invariant: a bound TCP socket has a port.
                guard let port = channel.localAddress?.port else { return }
                let address = Address(host: configuration.host, port: port)
                logger.info("Listening", metadata: ["url": "\(address.url)"])
                await onStart(address)
            },
            logger: logger
        )
    }
}
