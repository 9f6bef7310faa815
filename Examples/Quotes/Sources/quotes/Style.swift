// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import AsyncBridge
import AsyncBridgeCombine
import Coroutines
import QuoteKit

/// How the client is called: each way gives the same.
enum Style: String, CaseIterable, ExpressibleByArgument {
    case callback
    case async
    case future
    case coroutine
    case publisher
    case sequence

    /// Asks for one answer.
    nonisolated(nonsending) func ask<Answer: Decodable & Sendable>(
        _ client: QuoteClient,
        _ endpoint: QuotableEndpoint
    ) async throws -> Answer {
        switch self {
        case .callback:
            try await withCallback { callback in
                client.execute(with: endpoint) { callback.resume(with: $0) }
            } onCancel: { call in
                call.cancel()
            }
        case .future:
            try await client.executeFuture(with: endpoint).value(cancellation: .propagate)
        case .coroutine:
            try await withCoroutine { try client.awaitExecute(with: endpoint) }
        case .publisher:
            try await client.executePublisher(with: endpoint).singleValue()
        case .async, .sequence:
            try await client.execute(with: endpoint)
        }
    }

    /// Asks for the items of a list: a page of it, or, in style `sequence`, as many from its beginning.
    nonisolated(nonsending) func list<Item>(
        _ client: QuoteClient,
        _ endpoint: QuotableEndpoint,
        _ page: PageOptions,
        all: PagedItems<Item>
    ) async throws -> [Item] {
        guard self == .sequence else {
            var endpoint = endpoint
            endpoint.queryItems += [.limit(page.limit), .page(page.page)]
            let answer: QuoteItemCollection<Item> = try await self.ask(client, endpoint)
            return answer.results
        }
        var items: [Item] = []
        for try await item in all {
            items.append(item)
            if items.count == page.limit { break }
        }
        return items
    }
}
