// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import ServiceLifecycle
public import WhatsThatServices

extension ClassificationServer {
    /// Runs a server for as long as a closure runs.
    ///
    /// ## Cancellation
    /// Cancels `body`. Then the server ends, as after `body`: requests that still run have five seconds.
    ///
    /// - Parameters:
    ///   - configuration: That of the server; a free port by default.
    ///   - classifier: What says what pictures show.
    ///   - body: Gets the URL of the running server.
    /// - Returns: What `body` returned, when the server has ended.
    /// - Throws: What `body` threw, or what kept the server from running.
    public nonisolated(nonsending) static func withServer<Value>(
        _ configuration: Configuration = Configuration(),
        classifier: any ImageClassifier,
        _ body: (_ url: String) async throws -> Value
    ) async throws -> Value {
        let started = CoPromise<Address>()
        let server = Self(configuration: configuration, classifier: classifier) { started.success($0) }
        var settings = ServiceGroupConfiguration(services: [server], logger: configuration.logger)
        settings.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: settings)
        // Not a child of this task: a server whose task is cancelled drops the connection that it is about to take, for
        // which NIO ends the process.
        let end = CoFuture {
            // Ends the wait below if the server does not come up.
            do { try await group.run() } catch {
                started.fail(error)
                throw error
            }
        }
        do {
            let result = try await body(started.value.url)
            await group.triggerGracefulShutdown()
            try await end.value(cancellation: .ignore)
            return result
        } catch {
            await group.triggerGracefulShutdown()
            // The first error is the one to tell of.
            try? await end.value(cancellation: .ignore)
            throw error
        }
    }
}
