// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Without the trait the compiler says which one is missing, at the place of use. `elements(buffering:)` and its like
// are members of `Publisher`, which is known without the trait on Apple systems only.

#if !Combine
public import AsyncBridgeFutures
#if canImport(Combine)
public import Combine
#endif

extension AsyncSequence {
    /// Needs the package trait Combine.
    @available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
    public func publisher(
        on actor: (any Actor)? = nil,
        executor: (any TaskExecutor)? = nil,
        priority: TaskPriority? = nil
    ) -> Never { fatalError("unavailable") }

    /// Needs the package trait Combine.
    @available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
    public func toPublisher(on actor: (any Actor)? = nil) -> Never { fatalError("unavailable") }
}

extension CoFuture {
    /// Needs the package trait Combine.
    @available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
    public func publisher(on actor: (any Actor)? = nil, cancellation policy: WaitPolicy = .abandon) -> Never {
        fatalError("unavailable")
    }
}

extension CoroutineScheduler {
    /// Needs the package trait Combine.
    @available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
    public var forPublishers: Never { fatalError("unavailable") }
}

/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public struct TaskPublisher<Output: Sendable, Failure: Error> {
    /// Needs the package trait Combine.
    public init(
        throwing failure: Failure.Type,
        priority: TaskPriority? = nil,
        operation: @escaping @Sendable () async throws(Failure) -> Output
    ) { fatalError("unavailable") }
}

@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
extension TaskPublisher where Failure == any Error {
    /// Needs the package trait Combine.
    public init(priority: TaskPriority? = nil, operation: @escaping @Sendable () async throws -> Output) {
        fatalError("unavailable")
    }
}

/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public struct PublisherScheduler<Base> {}

/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public struct CombineScheduler<Base> {}

/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public struct PublisherSequence<Upstream> {}

/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public struct AsyncSequencePublisher<Base> {}

/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public struct CoFuturePublisher<Output> {}

/// Needs the package trait Combine.
@available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
public enum PublisherValue {}

#if canImport(Combine)
extension Publisher {
    /// Needs the package trait Combine.
    @available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
    public func elements(buffering: BufferingPolicy) -> Never { fatalError("unavailable") }

    /// Needs the package trait Combine.
    @available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
    public func firstValue() async throws -> Output { fatalError("unavailable") }

    /// Needs the package trait Combine.
    @available(*, unavailable, message: "needs the package trait 'Combine': .package(…, traits: [\"Combine\"])")
    public func subscribeCoFuture() -> Never { fatalError("unavailable") }
}
#endif
#endif
