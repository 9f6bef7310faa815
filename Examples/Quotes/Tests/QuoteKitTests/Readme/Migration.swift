// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "From completion handlers to async".

import AsyncBridge
import Foundation
import QuoteKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Before.

struct OldClient: Sendable {
    let session: URLSession

    func load<Model: Decodable & Sendable>(
        _ url: URL,
        completion: @escaping @Sendable (Result<Model, any Error>) -> Void
    ) {
        let task = self.session.dataTask(with: url) { data, _, error in
            if let error { return completion(.failure(error)) }
            guard let data else { return completion(.failure(QuoteFetchError.missingData)) }
            completion(Result { try JSONDecoder().decode(Model.self, from: data) })
        }
        task.resume()
    }
}

// One: wrap.

extension OldClient {
    func load<Model: Decodable & Sendable>(_ url: URL) async throws -> Model {
        try await withCallback { callback in
            self.load(url) { callback.resume(with: $0) }
        }
    }
}

// Two: keep both.

struct Client: Sendable {
    let transport: any QuoteTransport

    func load<Model: Decodable & Sendable>(_ url: URL) async throws -> Model {
        let (data, _) = try await self.transport.data(for: URLRequest(url: url))
        return try JSONDecoder().decode(Model.self, from: data)
    }

    @discardableResult
    func load<Model: Decodable & Sendable>(
        _ url: URL,
        completion: @escaping @Sendable (Result<Model, any Error>) -> Void
    ) -> CallHandle {
        callAsync {
            try await self.load(url)
        } completion: {
            completion($0)
        }
    }
}

// Three: replace.

func authorOfTheDay(completion: @escaping @Sendable (Result<Author, any Error>) -> Void) {
    QuoteKit.randomQuote { result in
        switch result {
        case .failure(let error):
            completion(.failure(error))
        case .success(let quote):
            QuoteKit.authors(slugs: [quote.authorSlug]) { result in
                switch result {
                case .failure(let error):
                    completion(.failure(error))
                case .success(let page):
                    guard let author = page.results.first else {
                        return completion(.failure(QuoteFetchError.missingData))
                    }
                    QuoteKit.author(id: author.id) { completion($0) }
                }
            }
        }
    }
}

func authorOfTheDay() async throws -> Author {
    let quote = try await QuoteKit.randomQuote()
    let page = try await QuoteKit.authors(slugs: [quote.authorSlug])
    guard let author = page.results.first else { throw QuoteFetchError.missingData }
    return try await QuoteKit.author(id: author.id)
}
