// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridgeFutures
public import OpenCombineShim

extension CoroutineScheduler where Self: Sendable {
    /// The scheduler for operators of publishers, such as `receive(on:)` and `delay(for:scheduler:)`.
    ///
    /// ```swift
    /// let subscription = publisher.receive(on: workers.forPublishers).sink { show($0) }
    /// ```
    ///
    /// See ``PublisherScheduler`` for what the operators may expect of it.
    public var forPublishers: PublisherScheduler<Self> { PublisherScheduler(self) }
}

/// A coroutine scheduler for use by Combine's operators.
///
/// Time is that of Swift's `ContinuousClock`, which keeps running while the system sleeps. Its timers need no thread of
/// Swift's pool, nor of Dispatch's, so actions are handed to the scheduler in time even if tasks keep all of those.
///
/// ## Where the contracts differ
/// * `receive(on:)` and similar operators expect actions to run one after another, in order. Give them a scheduler with
///   a single thread, such as a serial queue: one with several threads delivers in any order, as a concurrent queue
///   does.
/// * A scheduler of coroutines that shuts down drops what it has not run. The operator does not learn of it, so its
///   subscriber gets nothing more.
/// * There are no options, and a tolerance is not used.
public struct PublisherScheduler<Base: CoroutineScheduler & Sendable>: Scheduler, Sendable {
    /// A time of the continuous clock.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// The time.
        public let instant: ContinuousClock.Instant

        /// Makes a time.
        ///
        /// - Parameter instant: The time.
        public init(_ instant: ContinuousClock.Instant) { self.instant = instant }

        /// The time from this one to another.
        ///
        /// - Parameter other: The other time.
        /// - Returns: The distance; negative if the other one is earlier.
        public func distance(to other: Self) -> Stride { Stride(self.instant.duration(to: other.instant)) }

        /// The time advanced by a distance.
        ///
        /// - Parameter stride: The distance.
        /// - Returns: The time.
        public func advanced(by stride: Stride) -> Self { Self(self.instant.advanced(by: stride.duration)) }

        /// A length of time.
        public struct Stride: Hashable, Sendable {
            /// The length.
            public var duration: Duration

            /// Makes a length of time.
            ///
            /// - Parameter duration: The length.
            public init(_ duration: Duration) { self.duration = duration }
        }
    }

    /// There are no options.
    public typealias SchedulerOptions = Never

    private let base: Base
    // Shared by the copies of this scheduler.
    private let delayed: DelayedActions

    init(_ base: Base) {
        SubscriberOfMainActor.explain
        self.base = base
        self.delayed = DelayedActions { base.scheduleTask($0) }
    }

    /// The time now.
    public var now: SchedulerTimeType { SchedulerTimeType(.now) }

    /// The smallest tolerance: none.
    public var minimumTolerance: SchedulerTimeType.Stride { .zero }

    /// Runs an action on the scheduler, as soon as it can.
    ///
    /// - Parameters:
    ///   - options: None.
    ///   - action: The action; runs once.
    /// - Complexity: O(1).
    public func schedule(options: Never?, _ action: @escaping () -> Void) {
        let action = ScheduledAction(action)
        self.base.scheduleTask { action.run() }
    }

    /// Runs an action on the scheduler, not before a time.
    ///
    /// Actions are handed to the scheduler in the order of their times, and those of the same time in the order in
    /// which they came. So delayed elements keep their order on a scheduler with a single thread.
    ///
    /// - Parameters:
    ///   - date: The time.
    ///   - tolerance: Not used.
    ///   - options: None.
    ///   - action: The action; runs once.
    /// - Complexity: O(log *n*) in the number of timers of the process if no action is due later, otherwise O(*n*) in
    ///   the number of those that are.
    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) {
        self.delayed.add(ScheduledAction(action), at: date.instant)
    }

    /// Runs an action on the scheduler again and again.
    ///
    /// If the scheduler is late, runs follow each other until it has caught up.
    ///
    /// - Parameters:
    ///   - date: The time of the first run.
    ///   - interval: The time from one run to the next.
    ///   - tolerance: Not used.
    ///   - options: None.
    ///   - action: The action.
    /// - Returns: A handle that stops it. A run that has begun completes; no other one begins.
    /// - Complexity: O(log *n*) for each run, in the number of timers of the process.
    public func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        let repeated = RepeatedAction(ScheduledAction(action), every: interval.duration) { self.base.scheduleTask($0) }
        repeated.begin(at: date.instant)
        return AnyCancellable { repeated.stop() }
    }
}

extension PublisherScheduler.SchedulerTimeType.Stride: ExpressibleByFloatLiteral {
    /// A length in seconds, such as `0.3`.
    ///
    /// - Parameter value: The number of seconds.
    public init(floatLiteral value: Double) { self.init(.seconds(value)) }
}

extension PublisherScheduler.SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable {
    /// No time.
    public static var zero: Self { Self(.zero) }

    /// A number of seconds.
    ///
    /// - Parameter s: The number.
    /// - Returns: The length.
    public static func seconds(_ s: Int) -> Self { Self(.seconds(s)) }

    /// A number of seconds.
    ///
    /// - Parameter s: The number.
    /// - Returns: The length.
    public static func seconds(_ s: Double) -> Self { Self(.seconds(s)) }

    /// A number of milliseconds.
    ///
    /// - Parameter ms: The number.
    /// - Returns: The length.
    public static func milliseconds(_ ms: Int) -> Self { Self(.milliseconds(ms)) }

    /// A number of microseconds.
    ///
    /// - Parameter us: The number.
    /// - Returns: The length.
    public static func microseconds(_ us: Int) -> Self { Self(.microseconds(us)) }

    /// A number of nanoseconds.
    ///
    /// - Parameter ns: The number.
    /// - Returns: The length.
    public static func nanoseconds(_ ns: Int) -> Self { Self(.nanoseconds(ns)) }

    /// A number of seconds, as a literal.
    ///
    /// - Parameter value: The number.
    public init(integerLiteral value: Int) { self.init(.seconds(value)) }

    /// A number of seconds, if it can be expressed.
    ///
    /// - Parameter source: The number.
    public init?<Number: BinaryInteger>(exactly source: Number) {
        guard let seconds = Int64(exactly: source) else { return nil }
        self.init(.seconds(seconds))
    }

    /// The length without its sign, in seconds.
    public var magnitude: Double { abs(self.duration / .seconds(1)) }

    /// Whether the first is shorter.
    ///
    /// - Parameters:
    ///   - left: A length.
    ///   - right: A length.
    /// - Returns: Whether it is.
    public static func < (left: Self, right: Self) -> Bool { left.duration < right.duration }

    /// Adds two lengths.
    ///
    /// - Parameters:
    ///   - left: A length.
    ///   - right: A length.
    /// - Returns: Their sum.
    public static func + (left: Self, right: Self) -> Self { Self(left.duration + right.duration) }

    /// Subtracts a length from another.
    ///
    /// - Parameters:
    ///   - left: A length.
    ///   - right: A length.
    /// - Returns: Their difference.
    public static func - (left: Self, right: Self) -> Self { Self(left.duration - right.duration) }

    /// Multiplies two numbers of seconds.
    ///
    /// - Parameters:
    ///   - left: A length.
    ///   - right: A length.
    /// - Returns: The product, in seconds.
    public static func * (left: Self, right: Self) -> Self {
        Self(left.duration * (right.duration / .seconds(1)))
    }

    /// Multiplies two numbers of seconds.
    ///
    /// - Parameters:
    ///   - left: A length.
    ///   - right: A length.
    public static func *= (left: inout Self, right: Self) { left = left * right }
}
#endif
