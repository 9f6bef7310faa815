// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Bridges for event loops, without the trait that brings them.
//
// error: 'BridgedChannel' is unavailable: needs the package trait 'NIO': .package(…, traits: ["NIO"])
// error: 'eventLoopFuture(on:)' is unavailable: needs the package trait 'NIO': .package(…, traits: ["NIO"])
// error: 'EventLoopScheduler' is unavailable: needs the package trait 'NIO': .package(…, traits: ["NIO"])
// error: 'EventLoopTaskExecutor' is unavailable: needs the package trait 'NIO': .package(…, traits: ["NIO"])
// error: 'BridgedChannelLimits' is unavailable: needs the package trait 'NIO': .package(…, traits: ["NIO"])

import AsyncBridgeFutures
import AsyncBridgeNIO

func serve(_ lines: BridgedChannel<String, String>) {}  // <-

func future(_ quote: CoFuture<Quote>) {
    _ = quote.eventLoopFuture(on: 1)  // <-
    _ = EventLoopScheduler(1)  // <-
    _ = EventLoopTaskExecutor(1)  // <-
    _ = BridgedChannelLimits(low: 1, high: 2)  // <-
}
