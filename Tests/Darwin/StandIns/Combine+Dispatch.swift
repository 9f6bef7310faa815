// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Part of what stands in for Combine: Apple's queues are its schedulers. Nothing here runs.

public import Dispatch

extension DispatchQueue: Scheduler {
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Hashable, Sendable {
            public init(integerLiteral value: Int) {}

            public init?(exactly source: some BinaryInteger) {}

            public var magnitude: Int { fatalError() }

            public static func + (left: Self, right: Self) -> Self { fatalError() }

            public static func - (left: Self, right: Self) -> Self { fatalError() }

            public static func * (left: Self, right: Self) -> Self { fatalError() }

            public static func *= (left: inout Self, right: Self) {}

            public static func < (left: Self, right: Self) -> Bool { fatalError() }

            public static func seconds(_ count: Int) -> Self { fatalError() }

            public static func seconds(_ count: Double) -> Self { fatalError() }

            public static func milliseconds(_ count: Int) -> Self { fatalError() }

            public static func microseconds(_ count: Int) -> Self { fatalError() }

            public static func nanoseconds(_ count: Int) -> Self { fatalError() }
        }

        public func distance(to other: Self) -> Stride { fatalError() }

        public func advanced(by stride: Stride) -> Self { fatalError() }
    }

    public struct SchedulerOptions {}

    public var now: SchedulerTimeType { fatalError() }
    public var minimumTolerance: SchedulerTimeType.Stride { fatalError() }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { fatalError() }

    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) { fatalError() }

    public func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable { fatalError() }
}
