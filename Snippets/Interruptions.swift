// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Cancellation, timeouts and values that come too late".

import AsyncBridge

func timeout(service: Oracle, question: String) async throws {
    // snippet.TIMEOUT
    let answer = try await withCallback(timeout: .seconds(30)) { callback in
        service.ask(question, reply: callback.handler())
    }
    // snippet.end
    show(answer)
}

func timeout(client: QuoteClient) async throws {
    // snippet.ASYNC
    let quote = try await withCallback(timeout: .seconds(5)) { callback in
        callAsync {
            try await client.quote(id: 1)
        } completion: {
            callback.resume(with: $0)
        }
    } onCancel: {
        $0.cancel()
    }
    // snippet.end
    show(quote)
}

func registered(client: QuoteClient) async throws {
    // snippet.REGISTERED
    let quote = try await withCallback { callback in
        let request = client.request(id: 1, completion: callback.handler())
        callback.onCancel { request.cancel() }
    }
    // snippet.end
    show(quote)
}

func cooperative(client: QuoteClient) async throws {
    // snippet.COOPERATIVE
    let quote = try await withCallback(cancellation: .cooperative) { callback in
        client.request(id: 1, completion: callback.handler())
    } onCancel: { request in
        request.cancel()
    }
    // snippet.end
    show(quote)
}

func ignoring(client: QuoteClient) async throws {
    // snippet.IGNORING
    let archive = try await withCallback(cancellation: .ignore) { callback in
        client.openArchive(completion: callback.handler())
    }
    archive.close()
    // snippet.end
}

func late(client: QuoteClient) async throws {
    // snippet.LATE
    let archive = try await withCallback(timeout: .seconds(5), onUndelivered: { $0.close() }) { callback in
        client.openArchive(completion: callback.handler())
    }
    defer { archive.close() }
    // snippet.end
    show(archive)
}

func caught(client: QuoteClient) async throws {
    // snippet.CAUGHT
    do {
        show(try await client.quote(id: 1))
    } catch is CancellationError {
        // Nobody wants the quote any more.
    } catch BridgeFault.timedOut {
        show("The server is slow today.")
    }
    // snippet.end
}

try await timeout(service: Oracle(), question: "Is it so?")
try await timeout(client: QuoteClient())
try await registered(client: QuoteClient())
try await cooperative(client: QuoteClient())
try await ignoring(client: QuoteClient())
try await late(client: QuoteClient())
try await caught(client: QuoteClient())

// snippet.hide
// MARK: - Stand-ins

struct Quote: Sendable {
    let id: Int
    let text: String
}

enum QuoteError: Error {
    case noSuchQuote(Int)
}

final class QuoteClient: Sendable {
    private func find(_ id: Int) -> Result<Quote, any Error> {
        id == 1 ? .success(Quote(id: 1, text: "Well begun is half done.")) : .failure(QuoteError.noSuchQuote(id))
    }

    final class Request: Sendable {
        func cancel() {}
    }

    func request(id: Int, completion: @escaping @Sendable (Result<Quote, any Error>) -> Void) -> Request {
        Task { completion(self.find(id)) }
        return Request()
    }

    final class Archive: Sendable {
        func close() {}
    }

    func openArchive(completion: @escaping @Sendable (Result<Archive, any Error>) -> Void) {
        Task { completion(.success(Archive())) }
    }

    func quote(id: Int) async throws -> Quote { try self.find(id).get() }
}

struct Oracle: Sendable {
    func ask(_ question: String, reply: @escaping @Sendable (Result<String, any Error>) -> Void) {
        Task { reply(.success("Yes.")) }
    }
}

func show(_ something: Any) { print(something) }
