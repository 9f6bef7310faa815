// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import ArgumentParser
public import Logging
import QuotableServer
import ServiceLifecycle
import UnixSignals

/// The command: a server until someone stops it.
@main
struct Quotable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves quotations in the public domain by the Quotable API.",
        discussion: "Ctrl-C and SIGTERM end it when the running requests are answered. Logs go to standard error."
    )

    @Option(help: "The name or address of the interface to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 is any free one, which the log names.")
    var port: UInt16 = 8080

    @Option(help: "The database, made on first start; ':memory:' keeps it in memory.", completion: .file())
    var database = "quotable.sqlite"

    @Option(help: "Requests that one address may make in a minute; 0 is no limit.")
    var rateLimit: UInt32 = 180

    @Flag(help: "Adds the route /slow?seconds=, which answers slowly and logs when a client does not wait for it.")
    var slowRoute = false

    @Option(help: "The lowest level to log.")
    var logLevel: Logger.Level = .info

    func run() async throws {
        var logger = Logger(label: "quotable") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = self.logLevel
        let server = QuoteServer(
            configuration: .init(
                host: self.host,
                port: Int(self.port),
                database: self.database == ":memory:" ? .memory : .file(self.database),
                requestsPerMinute: self.rateLimit == 0 ? nil : Int(self.rateLimit),
                hasSlowRoute: self.slowRoute,
                logger: logger
            )
        )
        var settings = ServiceGroupConfiguration(services: [server], logger: logger)
        settings.maximumGracefulShutdownDuration = .seconds(10)
        do {
            try await self.run(ServiceGroup(configuration: settings), logger)
        } catch is SecondSignal {
            logger.notice("Stopped at once, at the second signal")
            throw ExitCode.failure
        } catch {
            logger.critical(
                "Stopped",
                metadata: [
                    "error": "\(error)", "address": "\(self.host):\(self.port)", "database": "\(self.database)",
                ]
            )
            throw ExitCode.failure
        }
    }

    /// Runs services until they end: the first signal asks them to, the second one cancels them.
    private func run(_ services: ServiceGroup, _ logger: Logger) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            group.addTask {
                var isFirst = true
                for await _ in signals {
                    if !isFirst { throw SecondSignal() }
                    isFirst = false
                    logger.notice("Ending when the running requests are answered; a second signal ends it at once")
                    await services.triggerGracefulShutdown()
                }
                // The services have ended: the wait for signals was cancelled.
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private struct SecondSignal: Error {}
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
