// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Without the trait the compiler says which one is missing, at the place of use.

#if !Combine
/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public struct PublisherVerification {
    /// Needs the package trait Combine.
    public init(_ name: String, _ publisher: (Int) -> Any) { fatalError("unavailable") }
}

/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public struct SubscriberVerification {
    /// Needs the package trait Combine.
    public init(_ name: String, _ subscriber: (Any) -> Any) { fatalError("unavailable") }
}

/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public struct PublisherPromises {}

/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public struct SubscriberPromises {}
#endif
