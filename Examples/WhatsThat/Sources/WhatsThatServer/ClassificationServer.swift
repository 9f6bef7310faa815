// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import ConnectionLimits
import Hummingbird
import HummingbirdCore
import Logging
import ServerSupport
public import ServiceLifecycle
public import WhatsThatServices

/// Serves a page on which a picture is chosen or dropped, and says what it shows.
public struct ClassificationServer: Service {
    private let configuration: Configuration
    private let classifier: any ImageClassifier
    private let onStart: @Sendable (Address) async -> Void

    /// A server that does not run yet.
    ///
    /// - Parameters:
    ///   - configuration: Where it listens, and what it allows.
    ///   - classifier: What says what pictures show.
    ///   - onStart: Called once, when the port is bound and connections are accepted.
    public init(
        configuration: Configuration = Configuration(),
        classifier: any ImageClassifier,
        onStart: @escaping @Sendable (Address) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.classifier = classifier
        self.onStart = onStart
    }

    /// Serves until the task is cancelled or a graceful shutdown begins.
    ///
    /// - Throws: An error of the system if the port is in use. A shutdown is no error.
    public func run() async throws { try await self.application().run() }

    private func application() -> some ApplicationProtocol {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SafetyHeaders())
        router.add(middleware: ErrorAnswers())
        router.add(middleware: ForeignRequests(host: self.configuration.host))
        let queue = ClassificationQueue(
            self.classifier,
            running: self.configuration.running,
            waiting: self.configuration.waiting
        )
        Routes(queue: queue, configuration: self.configuration).add(to: router)
        let departures = Departures()
        return Application(
            responder: DepartureWatch(responder: router.buildResponder(), departures: departures),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        UnfinishedUploads(), MalformedRequestAnswers(json: Refusal.malformed), departures.makeWatch(),
                    ],
                    // A client that says nothing for long does not keep its connection.
                    idleTimeout: .seconds(60)
                )
            ),
            configuration: .init(
                address: .hostname(self.configuration.host, port: self.configuration.port),
                serverName: "whatsthat",
                availableConnectionsDelegate: MaximumAvailableConnections(ConnectionLimit.ofProcess(atMost: 512))
            ),
            onServerRunning: { channel in
                // Invariant: a bound TCP socket has a port.
                guard let port = channel.localAddress?.port else { return }
                await self.onStart(Address(host: self.configuration.host, port: port))
            },
            logger: self.configuration.logger
        )
    }
}
