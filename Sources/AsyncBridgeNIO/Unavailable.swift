// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Without the trait the compiler says which one is missing, at the place of use. Members of NIO's own types are not
// known without it.

#if !NIO
public import AsyncBridgeFutures

extension CoFuture {
    /// Needs the package trait NIO.
    @available(*, unavailable, message: "needs the package trait 'NIO': .package(…, traits: [\"NIO\"])")
    public func eventLoopFuture<EventLoop>(on eventLoop: EventLoop) -> Never { fatalError("unavailable") }
}

/// Needs the package trait NIO.
@available(*, unavailable, message: "needs the package trait 'NIO': .package(…, traits: [\"NIO\"])")
public enum EventLoopWaitPolicy {}

/// Needs the package trait NIO.
@available(*, unavailable, message: "needs the package trait 'NIO': .package(…, traits: [\"NIO\"])")
public struct EventLoopScheduler {
    /// Needs the package trait NIO.
    public init<EventLoop>(_ eventLoop: EventLoop) { fatalError("unavailable") }
}

/// Needs the package trait NIO.
@available(*, unavailable, message: "needs the package trait 'NIO': .package(…, traits: [\"NIO\"])")
public struct EventLoopTaskExecutor {
    /// Needs the package trait NIO.
    public init<EventLoopGroup>(_ group: EventLoopGroup) { fatalError("unavailable") }
}

/// Needs the package trait NIO.
@available(*, unavailable, message: "needs the package trait 'NIO': .package(…, traits: [\"NIO\"])")
public struct BridgedChannel<Inbound: Sendable, Outbound: Sendable> {}

/// Needs the package trait NIO.
@available(*, unavailable, message: "needs the package trait 'NIO': .package(…, traits: [\"NIO\"])")
public struct BridgedChannelLimits {
    /// Needs the package trait NIO.
    public init(low: Int = 4, high: Int = 16, outbound: Int = 16) { fatalError("unavailable") }
}

/// Needs the package trait NIO.
@available(*, unavailable, message: "needs the package trait 'NIO': .package(…, traits: [\"NIO\"])")
public enum BridgedChannelKind {}

/// Needs the package trait NIO.
@available(*, unavailable, message: "needs the package trait 'NIO': .package(…, traits: [\"NIO\"])")
public enum BridgedChannelError {}

/// Needs the package trait NIO.
@available(*, unavailable, message: "needs the package trait 'NIO': .package(…, traits: [\"NIO\"])")
public struct BridgeRemainder<Inbound: Sendable> {}

/// Needs the package trait NIO.
@available(*, unavailable, message: "needs the package trait 'NIO': .package(…, traits: [\"NIO\"])")
public struct ConnectionGroup {
    /// Needs the package trait NIO.
    public init<Grace>(grace: Grace) { fatalError("unavailable") }

    /// Needs the package trait NIO.
    public init() { fatalError("unavailable") }
}
#endif
