// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import HTTPTypes
import Hummingbird
import Logging

/// Turns whatever is thrown into JSON.
struct ErrorAnswers: RouterMiddleware {
    func handle(
        _ request: Request,
        context: QuotableContext,
        next: @concurrent (Request, QuotableContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let refusal = self.refusal(for: error, context: context)
            let body = RefusalBody(statusCode: refusal.status.code, statusMessage: refusal.message)
            var response = try context.responseEncoder.encode(body, from: request, context: context)
            response.status = refusal.status
            response.headers.append(contentsOf: refusal.headers)
            // Not said by the router, which knows `HEAD` for its own routes only.
            return request.method == .head ? response.createHeadResponse() : response
        }
    }

    private func refusal(for error: any Error, context: QuotableContext) -> Refusal {
        switch error {
        case let refusal as Refusal:
            return refusal
        case let error as any HTTPResponseError where error.status == .notFound:
            return .noRoute
        case let error as any HTTPResponseError where error.status.kind == .clientError:
            return Refusal(status: error.status, message: error.status.reasonPhrase)
        case is CancellationError:
            // The server is about to end, or the client has gone.
            return Refusal(status: .serviceUnavailable, message: "The request was cancelled")
        default:
            // What went wrong is for the log, not for the client.
            context.logger.error("Request failed", metadata: ["error": "\(error)"])
            return .internalError
        }
    }
}
