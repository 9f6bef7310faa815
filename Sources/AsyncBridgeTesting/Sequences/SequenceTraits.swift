// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What the type of a sequence tells about it, and where that is not enough, a sequence.
struct SequenceTraits: Sendable {
    /// Whether it can throw any error, a `CancellationError` among them.
    let throwsAnyError: Bool

    /// Whether it is a stream of the standard library, or one of its algorithms over one.
    ///
    /// Two iterators of such a stream that wait at the same time end the process.
    private(set) var isStandardStream: Bool

    /// What the types tell.
    init<S: AsyncSequence>(_ type: S.Type) {
        self.throwsAnyError = S.Failure.self == (any Error).self
        let name = Self.withoutSegments(String(reflecting: S.AsyncIterator.self))
        self.isStandardStream = Self.streams.contains { name.contains($0) }
    }

    /// What the types tell, and if its iterators are streams' and it is not a stream, whether two are of one stream.
    ///
    /// - Parameters:
    ///   - type: The type of the sequence.
    ///   - patience: How long the bridge may take to make a sequence, and two iterators.
    ///   - bridge: Makes a sequence. It may block, so it is called on a thread of its own.
    /// - Returns: The traits.
    static func of<S: AsyncSequence & SendableMetatype>(
        _ type: S.Type,
        patience: Duration,
        _ bridge: @escaping @Sendable (SequenceSource) -> S
    ) async -> SequenceTraits where S.Element == Int {
        var traits = SequenceTraits(type)
        let name = String(reflecting: type)
        guard traits.isStandardStream, !Self.streams.contains(where: { name.hasPrefix($0) }) else { return traits }
        let source = SequenceSourceCore(LifetimeTracker())
        let haveOwn = Watched<Bool?>(nil)
        Errands().begin {
            let sequence = bridge(SequenceSource(source))
            let iterators = (sequence.makeAsyncIterator(), sequence.makeAsyncIterator())
            let (first, second) = (Self.storages(in: iterators.0), Self.storages(in: iterators.1))
            haveOwn.update { $0 = !first.isEmpty && !second.isEmpty && first.isDisjoint(with: second) }
        }
        // If it blocks, a scenario says so.
        _ = await haveOwn.wait(idlePatience: patience) { $0 != nil }
        if haveOwn.value == true { traits.isStandardStream = false }
        source.clear()
        return traits
    }

    /// How the names of streams begin, and of what belongs to one.
    private static let streams = ["Swift.AsyncStream<", "Swift.AsyncThrowingStream<"]

    /// What iterators of one stream share.
    private static func storages(in value: Any, depth: Int = 8) -> Set<ObjectIdentifier> {
        let name = String(reflecting: type(of: value))
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class, Self.streams.contains(where: { name.hasPrefix($0) }) {
            return [ObjectIdentifier(value as AnyObject)]
        }
        guard depth > 0 else { return [] }
        return mirror.children.reduce(into: []) { $0.formUnion(Self.storages(in: $1.value, depth: depth - 1)) }
    }

    /// A name without what `flatMap` makes of each element: each of its iterators has its own.
    private static func withoutSegments(_ name: String) -> Substring {
        guard let algorithm = name.firstRange(of: "FlatMapSequence<") else { return name[...] }
        var depth = 0
        for index in name.indices[algorithm.upperBound...] {
            switch name[index] {
            case "<", "(": depth += 1
            case ">", ")": depth -= 1
            case "," where depth == 0: return name[..<index]
            default: break
            }
        }
        return name[...]
    }
}
