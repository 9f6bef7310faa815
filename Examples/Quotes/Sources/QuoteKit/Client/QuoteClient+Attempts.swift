// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension QuoteClient {
    /// Sends a request as often as the policy allows.
    nonisolated(nonsending) func data(for request: URLRequest) async throws -> Data {
        var attempt = 1
        while true {
            do {
                return try await self.attempt(request)
            } catch let error as QuoteFetchError {
                guard request.mayBeRepeated,
                    let delay = self.retryPolicy.delay(afterAttempt: attempt, failing: error, chance: self.chance())
                else { throw error }
                attempt += 1
                try await self.clock.sleep(for: delay)
            }
        }
    }

    private nonisolated(nonsending) func attempt(_ request: URLRequest) async throws -> Data {
        try Task.checkCancellation()
        let (data, response) = try await self.answer(to: request)
        guard (200..<300).contains(response.statusCode) else {
            throw QuoteFetchError.status(
                response.statusCode,
                message: (try? JSONDecoder().decode(Refusal.self, from: data))?.statusMessage,
                retryAfter: response.value(forHTTPHeaderField: "Retry-After").flatMap {
                    RetryAfter.delay($0, now: self.now())
                }
            )
        }
        if data.isEmpty { throw QuoteFetchError.missingData }
        return data
    }

    /// Sorts the transport's errors.
    private nonisolated(nonsending) func answer(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            return try await self.transport.data(for: request)
        } catch let error as CancellationError {
            throw error
        } catch let error as QuoteFetchError {
            throw error
        } catch {
            // A transport that was cancelled may have a name of its own for it.
            if Task.isCancelled { throw CancellationError() }
            throw QuoteFetchError.connection(error)
        }
    }
}

/// What the server says when it refuses.
private struct Refusal: Decodable {
    var statusMessage: String
}

extension URLRequest {
    fileprivate var mayBeRepeated: Bool { ["GET", "HEAD"].contains(self.httpMethod ?? "GET") }
}
