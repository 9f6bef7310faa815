// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Bridges for publishers, without the trait that brings them.
//
// error: 'PublisherScheduler' is unavailable: needs the package trait 'Combine': .package(…, traits: ["Combine"])
// error: 'PublisherValue' is unavailable: needs the package trait 'Combine': .package(…, traits: ["Combine"])
// error: 'publisher(on:executor:priority:)' is unavailable: needs the package trait 'Combine': .package(…,
//   traits: ["Combine"])
// error: 'toPublisher(on:)' is unavailable: needs the package trait 'Combine': .package(…, traits: ["Combine"])
// error: 'publisher(on:cancellation:)' is unavailable: needs the package trait 'Combine': .package(…, traits:
//   ["Combine"])
// error: 'TaskPublisher' is unavailable: needs the package trait 'Combine': .package(…, traits: ["Combine"])
// error: 'init(priority:operation:)' is unavailable: needs the package trait 'Combine': .package(…, traits:
//   ["Combine"])
// error: 'TaskPublisher' is unavailable: needs the package trait 'Combine': .package(…, traits: ["Combine"])
// error: 'init(priority:operation:)' is unavailable: needs the package trait 'Combine': .package(…, traits:
//   ["Combine"])
// error: 'TaskPublisher' is unavailable: needs the package trait 'Combine': .package(…, traits: ["Combine"])
// error: 'forPublishers' is unavailable: needs the package trait 'Combine': .package(…, traits: ["Combine"])

import AsyncBridgeCombine
import AsyncBridgeFutures
import Dispatch

func types(_ scheduler: PublisherScheduler<DispatchQueue>, _ value: PublisherValue) {}  // <- <-

func sequence(_ quotes: AsyncStream<Quote>) {
    _ = quotes.publisher()  // <-
    _ = quotes.toPublisher()  // <-
}

func future(_ quote: CoFuture<Quote>) {
    _ = quote.publisher()  // <-
}

func function(_ client: QuoteClient) {
    _ = TaskPublisher { try await client.quote() }  // <- <-
    _ = TaskPublisher { 42 }  // <- <-
    _ = TaskPublisher(throwing: (any Error).self) { try await client.quote() }  // <-
}

func scheduler() {
    _ = DispatchQueue.main.forPublishers  // <-
}
