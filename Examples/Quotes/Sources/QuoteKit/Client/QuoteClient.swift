// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client of the Quotable API.
///
/// ```swift
/// let client = QuoteClient(host: QuotableHost(url))
/// let quote = try await client.quote(id: id)
/// ```
///
/// Every call comes in six styles: `async`, with a completion handler, as a `CoFuture`, for coroutines, as a publisher,
/// and, for lists, as an `AsyncSequence`. The async one does the work; the others are bridges to it.
///
/// ## Errors
/// Every call fails with ``QuoteFetchError`` or, when it is cancelled, with `CancellationError`, whatever its style.
///
/// ## Isolation
/// Requests are sent and answers decoded outside the caller's actor.
public struct QuoteClient: Sendable {
    /// The server.
    public var host: QuotableHost
    /// What carries requests.
    public var transport: any QuoteTransport
    /// What reads answers.
    public var decoder: JSONDecoder
    /// When a request is sent again.
    public var retryPolicy: RetryPolicy
    /// How long one attempt may take, in seconds, as far as the transport can tell.
    public var timeout: Double
    /// What measures the pauses between attempts.
    public var clock: any Clock<Duration>
    /// The time of day, to which dates in `Retry-After` are compared.
    public var now: @Sendable () -> Date
    /// The chance in the pauses: a number from 0 to 1.
    public var chance: @Sendable () -> Double

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - host: The server.
    ///   - transport: What carries requests.
    ///   - decoder: What reads answers.
    ///   - retryPolicy: When a request is sent again.
    ///   - timeout: How long one attempt may take, in seconds.
    ///   - clock: What measures the pauses between attempts.
    ///   - now: The time of day.
    ///   - chance: A random number from 0 to 1.
    public init(
        host: QuotableHost = .production,
        transport: any QuoteTransport = URLSessionTransport(),
        decoder: JSONDecoder = JSONDecoder(),
        retryPolicy: RetryPolicy = RetryPolicy(),
        timeout: Double = 30,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.host = host
        self.transport = transport
        self.decoder = decoder
        self.retryPolicy = retryPolicy
        self.timeout = timeout
        self.clock = clock
        self.now = now
        self.chance = chance
    }

    /// Asks, and decodes the answer: what every call of every style comes to.
    ///
    /// Cancellation: ends the call at once, a pause between two attempts included.
    ///
    /// - Parameter endpoint: The question.
    /// - Returns: The answer.
    /// - Throws: ``QuoteFetchError``; `CancellationError`.
    @concurrent public func execute<Model: Decodable & Sendable>(with endpoint: QuotableEndpoint) async throws -> Model
    {
        guard (endpoint.host ?? self.host).isValid else { throw QuoteFetchError.invalidURL }
        var request = URLRequest(url: endpoint.url(at: self.host), timeoutInterval: self.timeout)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let data = try await self.data(for: request)
        do {
            return try self.decoder.decode(Model.self, from: data)
        } catch let error as DecodingError {
            throw QuoteFetchError(error)
        }
    }
}
