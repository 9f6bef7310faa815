// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What the type of a sequence tells about it.
struct SequenceTraits: Sendable {
    /// Whether it can throw any error, a `CancellationError` among them.
    let throwsAnyError: Bool

    /// Whether it is a stream of the standard library, or one of its algorithms over one.
    ///
    /// Two iterators of such a stream that wait at the same time end the process.
    let isStandardStream: Bool

    init<S: AsyncSequence>(_ type: S.Type) {
        self.throwsAnyError = S.Failure.self == (any Error).self
        let name = Self.withoutSegments(String(reflecting: S.AsyncIterator.self))
        self.isStandardStream = ["Swift.AsyncStream<", "Swift.AsyncThrowingStream<"].contains { name.contains($0) }
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
