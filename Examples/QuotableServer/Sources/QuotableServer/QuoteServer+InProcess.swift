// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Logging
import ServiceLifecycle

extension QuoteServer {
    /// Runs a server for as long as a closure runs.
    ///
    /// ## Cancellation
    /// Cancels `body`. Then the server ends, as after `body`: requests that still run have five seconds.
    ///
    /// ## Isolation
    /// `body` runs on the caller's actor, the server elsewhere.
    ///
    /// - Parameters:
    ///   - configuration: That of the server; a free port by default.
    ///   - body: Gets the address of the running server. When it is over the server shuts down: requests that still run
    ///     have five seconds to end.
    /// - Returns: What `body` returned, when the server has ended.
    /// - Throws: What `body` threw, or what kept the server from running.
    public nonisolated(nonsending) static func withServer<Value>(
        configuration: Configuration = Configuration(),
        _ body: (Address) async throws -> Value
    ) async throws -> Value {
        try await Self.withService(
            logger: configuration.logger,
            { Self(configuration: configuration, onStart: $0) },
            body
        )
    }

    /// The same, for a server of any kind that says where it listens.
    nonisolated(nonsending) static func withService<Value>(
        logger: Logger,
        _ makeService: (@escaping @Sendable (Address) -> Void) throws -> any Service,
        _ body: (Address) async throws -> Value
    ) async throws -> Value {
        let (addresses, start) = AsyncStream.makeStream(of: Address.self)
        let service = try makeService { start.yield($0) }
        var settings = ServiceGroupConfiguration(services: [service], logger: logger)
        settings.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: settings)
        // Not a child of this task: a server whose task is cancelled drops the connection that it is about to take, for
        // which NIO ends the process.
        let end = Task {
            // Ends the wait below if the server does not come up.
            defer { start.finish() }
            try await group.run()
        }
        guard let address = await addresses.first(where: { _ in true }) else {
            // For a task that is cancelled before it comes up.
            await group.triggerGracefulShutdown()
            try await end.value
            throw CancellationError()
        }
        do {
            let result = try await body(address)
            await group.triggerGracefulShutdown()
            try await end.value
            return result
        } catch {
            await group.triggerGracefulShutdown()
            // The first error is the one to tell of.
            try? await end.value
            throw error
        }
    }
}
