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
    /// On which the request came; nil where there is no network.
    let port: Int?

    init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        self.connection = Self.connection(of: source)
        self.port = source.channel.localAddress?.port
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
            let refusal = Routes.wrongMethod(error, request) ?? Refusal(error) ?? self.internalError(error, context)
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

/// Says what the page may do, in each answer.
struct SafetyHeaders: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src blob: 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

/// Refuses requests that the page has not sent.
///
/// A page of another server, in the same browser, may send requests to this machine too. They carry its origin. Its
/// name may also be made to lead to this machine; then origin and host agree, and only the name tells.
struct ForeignRequests: RouterMiddleware {
    /// By which the server is called, in small letters.
    private let names: Set<String>

    /// - Parameter host: Where the server was told to listen.
    init(host: String) {
        self.names = ["127.0.0.1", "[::1]", "localhost", host.contains(":") ? "[\(host)]" : host.lowercased()]
    }

    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        // The first host was taken out of the fields.
        guard let host = request.head.authority, request.headers[values: Self.host].isEmpty else {
            throw Refusal(status: .badRequest, message: "A request needs one Host.")
        }
        guard self.isOurs(host.lowercased(), port: context.port) else {
            throw Refusal(status: .misdirectedRequest, message: "This server has another name.")
        }
        let origin = request.headers[.origin]
        guard origin == nil || origin == "http://\(host)", request.headers[Self.fetchSite] != "cross-site" else {
            throw Refusal(status: .forbidden, message: "Only the page of this server may ask.")
        }
        return try await next(request, context)
    }

    private func isOurs(_ host: String, port: Int?) -> Bool {
        guard let port else { return true }
        return self.names.contains { host == "\($0):\(port)" || port == 80 && host == $0 }
    }

    // Invariant: these are names of fields.
    private static let host = HTTPField.Name("host")!  // Safe: see above.
    private static let fetchSite = HTTPField.Name("sec-fetch-site")!  // Safe: see above.
}
