// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Six styles".

import AsyncBridge
import AsyncBridgeCombine
import Coroutines
import Dispatch
import Foundation
import OpenCombineShim
import QuoteKit

func async(_ id: String) async throws -> Quote {
    let quote = try await QuoteKit.quote(id: id)
    return quote
}

func callback(_ id: String, show: @escaping @Sendable (String) -> Void) -> CallHandle {
    QuoteKit.quote(id: id) { result in
        switch result {
        case .success(let quote): show(quote?.content ?? "")
        case .failure(let error): show(error.localizedDescription)
        }
    }
}

func future(_ client: QuoteClient, _ id: String, show: @escaping @Sendable (String) -> Void) {
    let future = client.quoteFuture(id: id)
    future.whenSuccess { quote in show(quote.content) }
}

func coroutine(_ client: QuoteClient, _ ids: [String], show: @escaping @Sendable (String) -> Void) {
    DispatchQueue.global().startCoroutine {
        let contents = try ids.map { id in try client.awaitQuote(id: id).content }
        show(contents.joined(separator: "\n"))
    }
}

func publisher(_ client: QuoteClient, _ id: String, show: @escaping (String) -> Void) -> AnyCancellable {
    let subscription = client.quotePublisher(id: id).sink { completion in
        if case .failure(let error) = completion { show(error.localizedDescription) }
    } receiveValue: { quote in
        show(quote.content)
    }
    return subscription
}

func listPublisher(_ client: QuoteClient, show: @escaping (String) -> Void) -> AnyCancellable {
    let subscription = client.allQuotes(tags: ["love"]).publisher(on: MainActor.shared).prefix(100).sink { _ in
    } receiveValue: { quote in
        show(quote.content)
    }
    return subscription
}

func sequence(_ client: QuoteClient, show: (String) -> Void) async throws {
    for try await quote in client.allQuotes(tags: ["love"], prefetching: 1) {
        show(quote.content)
    }
}
