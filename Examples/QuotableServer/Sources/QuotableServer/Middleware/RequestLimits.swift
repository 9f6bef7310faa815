// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import HTTPTypes
import Hummingbird
import Synchronization

/// Refuses addresses so long that only a mistake or an attack makes them.
struct LengthLimit: RouterMiddleware {
    /// In bytes.
    ///
    /// With it, the work for one request is bounded as well.
    static let maximum = 8192

    func handle(
        _ request: Request,
        context: QuotableContext,
        next: @concurrent (Request, QuotableContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.string.utf8.count <= Self.maximum else { throw Refusal.uriTooLong }
        return try await next(request, context)
    }
}

/// Refuses clients that ask too often.
final class RateLimit: RouterMiddleware {
    private let allowance: Mutex<Allowance>
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - perMinute: Requests for each address.
    ///   - now: Tells the time.
    init(perMinute: Int, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.allowance = Mutex(Allowance(limit: perMinute))
        self.now = now
    }

    func handle(
        _ request: Request,
        context: QuotableContext,
        next: @concurrent (Request, QuotableContext) async throws -> Response
    ) async throws -> Response {
        // A health check must not fail because of the load it is there to watch.
        if request.uri.path == "/health" { return try await next(request, context) }
        let now = self.now()
        let verdict = self.allowance.withLock { $0.take(for: context.clientAddress ?? "", at: now) }
        var headers: HTTPFields = [
            .rateLimit: "\(verdict.limit)",
            .rateLimitRemaining: "\(verdict.remaining)",
            .rateLimitReset: "\(verdict.secondsToReset)",
        ]
        guard verdict.isGranted else {
            headers[.retryAfter] = "\(verdict.secondsToReset)"
            throw Refusal(
                status: .tooManyRequests,
                message: "Too many requests: \(verdict.limit) a minute are allowed",
                headers: headers
            )
        }
        var response = try await next(request, context)
        response.headers.append(contentsOf: headers)
        return response
    }
}

extension HTTPField.Name {
    // Safe: letters and hyphens are a valid name.
    fileprivate static let rateLimit = Self("X-RateLimit-Limit")!
    fileprivate static let rateLimitRemaining = Self("X-RateLimit-Remaining")!
    fileprivate static let rateLimitReset = Self("X-RateLimit-Reset")!
}
