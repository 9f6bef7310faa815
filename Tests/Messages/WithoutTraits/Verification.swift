// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The suites for publishers and subscribers, without the trait that brings them.
//
// error: 'PublisherPromises' is unavailable: needs the package trait 'Combine': .package(…, traits: ["Combine"])
// error: 'SubscriberPromises' is unavailable: needs the package trait 'Combine': .package(…, traits: ["Combine"])
// error: 'PublisherVerification' is unavailable: needs the package trait 'Combine': .package(…, traits:
//   ["Combine"])
// error: 'SubscriberVerification' is unavailable: needs the package trait 'Combine': .package(…, traits:
//   ["Combine"])

import AsyncBridgeCombineTesting

func promises(_ publishers: PublisherPromises, _ subscribers: SubscriberPromises) {}  // <- <-

func verify() async {
    _ = PublisherVerification("numbers") { count in 0..<count }  // <-
    _ = SubscriberVerification("sink") { count in count }  // <-
}
