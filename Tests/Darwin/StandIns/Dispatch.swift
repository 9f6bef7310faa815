// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Stands in for the Swift part of Apple's Dispatch: the declarations that the package uses, as its public interface has
// them. The classes and protocols are real, from the headers. Nothing here runs.

@_exported import Dispatch
@_exported import ObjectiveC

// MARK: Queues

extension DispatchQueue {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64

        public init(rawValue: UInt64) { self.rawValue = rawValue }

        public static let concurrent = Self(rawValue: 2)
        public static let initiallyInactive = Self(rawValue: 4)
    }

    public enum AutoreleaseFrequency: Sendable {
        case inherit
        case workItem
        case never
    }

    public class var main: DispatchQueue { fatalError() }

    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }

    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) { fatalError() }

    public convenience init(
        label: String,
        qos: DispatchQoS = .unspecified,
        attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit,
        target: DispatchQueue? = nil
    ) { fatalError() }

    public var label: String { fatalError() }

    @preconcurrency public func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { fatalError() }

    @preconcurrency public func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { fatalError() }

    public func async(execute item: DispatchWorkItem) { fatalError() }

    public func asyncAfter(deadline: DispatchTime, execute item: DispatchWorkItem) { fatalError() }

    public func sync<Result>(execute work: () throws -> Result) rethrows -> Result { try work() }

    public func setSpecific<Value>(key: DispatchSpecificKey<Value>, value: Value?) { fatalError() }

    public func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? { fatalError() }

    public class func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? { fatalError() }
}

public final class DispatchSpecificKey<Value> {
    public init() {}
}

extension DispatchSpecificKey: Sendable where Value: Sendable {}

public enum DispatchPredicate: Sendable {
    case onQueue(DispatchQueue)
    case onQueueAsBarrier(DispatchQueue)
    case notOnQueue(DispatchQueue)
}

public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) { fatalError() }

public struct DispatchQoS: Equatable, Sendable {
    public enum QoSClass: Sendable {
        case background
        case utility
        case `default`
        case userInitiated
        case userInteractive
        case unspecified
    }

    public let qosClass: QoSClass
    public let relativePriority: Int

    public init(qosClass: QoSClass, relativePriority: Int) { fatalError() }

    public static let background = Self(qosClass: .background, relativePriority: 0)
    public static let utility = Self(qosClass: .utility, relativePriority: 0)
    public static let `default` = Self(qosClass: .default, relativePriority: 0)
    public static let userInitiated = Self(qosClass: .userInitiated, relativePriority: 0)
    public static let userInteractive = Self(qosClass: .userInteractive, relativePriority: 0)
    public static let unspecified = Self(qosClass: .unspecified, relativePriority: 0)
}

public struct DispatchWorkItemFlags: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let barrier = Self(rawValue: 1)
    public static let enforceQoS = Self(rawValue: 32)
}

public class DispatchWorkItem {
    @preconcurrency public init(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        block: @escaping @Sendable @convention(block) () -> Void
    ) { fatalError() }

    public func perform() { fatalError() }

    public func cancel() { fatalError() }

    public var isCancelled: Bool { fatalError() }
}

// MARK: Time

public struct DispatchTime: Comparable, Sendable {
    public let rawValue: UInt64

    public init(uptimeNanoseconds: UInt64) { self.rawValue = uptimeNanoseconds }

    public var uptimeNanoseconds: UInt64 { self.rawValue }

    public static func now() -> Self { fatalError() }

    public static let distantFuture = Self(uptimeNanoseconds: .max)

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

// Not frozen: a `switch` needs `@unknown default`.
public enum DispatchTimeInterval: Equatable, Sendable {
    case seconds(Int)
    case milliseconds(Int)
    case microseconds(Int)
    case nanoseconds(Int)
    case never
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }

public func - (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }

public func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }

@frozen public enum DispatchTimeoutResult: Sendable {
    case success
    case timedOut
}

// MARK: Groups and semaphores

extension DispatchGroup {
    @preconcurrency public func notify(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        queue: DispatchQueue,
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { fatalError() }

    @available(*, noasync) public func wait() { fatalError() }

    @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
}

extension DispatchSemaphore {
    @discardableResult public func signal() -> Int { fatalError() }

    @available(*, noasync) public func wait() { fatalError() }

    @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
}

// MARK: Data

// SwiftNIO uses it.
public struct DispatchData: RandomAccessCollection, Sendable {
    public init(bytes buffer: UnsafeRawBufferPointer) { fatalError() }

    public var startIndex: Int { fatalError() }

    public var endIndex: Int { fatalError() }

    public subscript(index: Int) -> UInt8 { fatalError() }

    public func copyBytes(to pointer: UnsafeMutableRawBufferPointer, count: Int) { fatalError() }
}

// MARK: Sources

extension DispatchSourceProtocol {
    // Some of Apple's SDKs have it `@Sendable`: both must compile.
    #if SENDABLE_SOURCE_HANDLERS
    public typealias DispatchSourceHandler = @Sendable @convention(block) () -> Void
    #else
    public typealias DispatchSourceHandler = @convention(block) () -> Void
    #endif

    public func setEventHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: DispatchSourceHandler?
    ) { fatalError() }

    public func setCancelHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: DispatchSourceHandler?
    ) { fatalError() }

    public func activate() { fatalError() }

    public func cancel() { fatalError() }

    public func resume() { fatalError() }

    public func suspend() { fatalError() }

    public var data: UInt { fatalError() }

    public var isCancelled: Bool { fatalError() }
}

extension DispatchSource {
    public struct TimerFlags: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let strict = Self(rawValue: 1)
    }

    public class func makeReadSource(
        fileDescriptor: Int32,
        queue: DispatchQueue? = nil
    ) -> any DispatchSourceRead { fatalError() }

    public class func makeSignalSource(
        signal: Int32,
        queue: DispatchQueue? = nil
    ) -> any DispatchSourceSignal { fatalError() }

    public class func makeTimerSource(
        flags: TimerFlags = [],
        queue: DispatchQueue? = nil
    ) -> any DispatchSourceTimer { fatalError() }
}

extension DispatchSourceTimer {
    public func schedule(
        deadline: DispatchTime,
        repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) { fatalError() }
}
