// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Hummingbird
import Logging

/// Logs each request when its answer is known.
struct AccessLog: RouterMiddleware {
    func handle(
        _ request: Request,
        context: QuotableContext,
        next: @concurrent (Request, QuotableContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        context.logger.info(
            "Answered",
            metadata: [
                "method": "\(request.method.rawValue)",
                "path": "\(request.uri.path)",
                "query": "\(request.uri.query ?? "")",
                "client": "\(context.clientAddress ?? "-")",
                "status": "\(response.status.code)",
                "milliseconds": "\((ContinuousClock.now - start).wholeMilliseconds)",
            ]
        )
        return response
    }
}
