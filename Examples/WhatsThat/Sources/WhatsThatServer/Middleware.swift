// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServerSupport

/// What is known of a request besides itself.
struct ServerContext: ConnectionContext {
    var coreContext: CoreRequestContextStorage
    let connection: ObjectIdentifier?

    init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        self.connection = Self.connection(of: source)
    }

    var responseEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// Turns whatever is thrown into JSON.
struct ErrorAnswers: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let refusal = Refusal(error) ?? self.internalError(error, context)
            let body = Refusal.Body(error: .init(message: refusal.message))
            var response = try context.responseEncoder.encode(body, from: request, context: context)
            response.status = refusal.status
            response.headers.append(contentsOf: refusal.headers)
            return request.method == .head ? response.createHeadResponse() : response
        }
    }

    private func internalError(_ error: any Error, _ context: ServerContext) -> Refusal {
        // What went wrong is for the log, not for the client.
        context.logger.error("Request failed", metadata: ["error": "\(error)"])
        return Refusal(status: .internalServerError, message: "The picture could not be classified.")
    }
}

/// Refuses requests that the page has not sent, and says what the page may do.
///
/// A page of another server, in the same browser, may send requests to this machine too. They carry its origin.
struct SafetyHeaders: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let host = request.head.authority ?? ""
        if let origin = request.headers[.origin], origin != "http://\(host)" {
            throw Refusal(status: .forbidden, message: "Only the page of this server may ask.")
        }
        var response = try await next(request, context)
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src blob:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
