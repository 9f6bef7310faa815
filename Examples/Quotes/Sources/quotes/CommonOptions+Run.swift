// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CommandSupport
import Foundation
import QuotableServer
import QuoteKit
import QuoteKitAsyncHTTPClient

extension CommonOptions {
    /// Runs a command with a client, and turns what goes wrong into a message and a status.
    ///
    /// Cancellation: Ctrl-C cancels the command, and what it has asked for.
    func run(_ body: @escaping @Sendable (QuoteClient, Printer) async throws -> Void) async throws {
        do {
            try await untilInterrupted {
                try await self.withHost { host in
                    try await self.withTransport { transport in
                        try await body(QuoteClient(host: host, transport: transport), Printer(json: self.json))
                    }
                }
            }
        } catch let interruption as SignalInterruption {
            throw ExitCode(interruption.status)
        } catch is ClosedOutput {
            // The reader has seen enough.
        } catch let failure as OutputFailure {
            StandardError.write(line: "quotes: \(failure)")
            throw ExitCode.failure
        } catch let error as QuoteFetchError {
            StandardError.write(line: "quotes: \(self.advice(error))")
            throw ExitCode.failure
        }
    }

    private nonisolated(nonsending) func withHost(_ body: (QuotableHost) async throws -> Void) async throws {
        if let server { return try await body(server) }
        try await QuoteServer.withServer(configuration: .init(requestsPerMinute: nil)) { address in
            guard let url = URL(string: address.url) else { preconditionFailure("BUG: \(address.url) is no address") }
            try await body(QuotableHost(url))
        }
    }

    private nonisolated(nonsending) func withTransport(
        _ body: nonisolated(nonsending) (any QuoteTransport) async throws -> Void
    ) async throws {
        switch self.transport {
        case .urlsession: try await body(URLSessionTransport())
        case .httpClient:
            #if AsyncHTTPClient
            try await AsyncHTTPClientTransport.withTransport { try await body($0) }
            #else
            throw ValidationError(
                "This command was built without async-http-client: build it with --traits AsyncHTTPClient."
            )
            #endif
        }
    }

    /// What went wrong, and what to do about it.
    private func advice(_ error: QuoteFetchError) -> String {
        let server = self.server?.baseURL.absoluteString ?? "its own server"
        return switch error {
        case .connection: "\(error) Check whether \(server) runs and the address is right, or leave out --server."
        // What the public API says if the route is there, and what it is asked for is not.
        case .status(404, "The requested resource could not be found", _):
            "Nothing fits. Ask for less: fewer tags, another length, another author."
        case .status(429, _, let delay?): "Too many requests. Try again in \(delay.components.seconds) seconds."
        case .status(429, _, nil): "Too many requests. Try again in a minute."
        case .status(422, let message, _): "\(message ?? "The server does not understand"). Look for some words."
        case .status(404, _, _): "\(server) has no such route. Check whether the address is right."
        case .status: "\(error) Try again later, or another server."
        case .invalidURL: "\(error) Write --server http://host:port."
        case .decoding, .missingData: "\(error) Check whether \(server) has the Quotable API, version 1."
        }
    }
}
