// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Hands out tracked objects and counts how many of them are alive.
///
/// ```swift
/// let tracker = LifetimeTracker()
/// store.keep(tracker.token("request"))
/// store.clear()
/// try await tracker.allReleased()
/// ```
///
/// Isolation: may be used on any thread, and so may its objects.
public final class LifetimeTracker: Sendable {
    package struct State: Sendable {
        package var made = 0
        package var alive: [Int: String] = [:]
    }

    package let state = Watched(State())

    /// Makes a tracker that has handed out nothing.
    public init() {}

    /// An object whose release the tracker notices.
    public final class Token: Sendable {
        /// The name that the token was given, for reports.
        public let label: String

        private let number: Int
        private let tracker: LifetimeTracker

        init(_ number: Int, _ label: String, _ tracker: LifetimeTracker) {
            self.number = number
            self.label = label
            self.tracker = tracker
        }

        deinit { self.tracker.forget(self.number) }
    }

    /// A value with a token: it is alive as long as any copy is.
    public struct Tracked<Value: Sendable>: Sendable {
        /// The value.
        public let value: Value

        /// Keeps the tracker's count while a copy is alive.
        public let token: Token
    }

    /// Makes an object whose release is noticed.
    ///
    /// - Parameter label: A name for reports.
    /// - Returns: The object.
    public func token(_ label: String = "token") -> Token {
        let number = self.state.update { state in
            state.made += 1
            state.alive[state.made] = label
            return state.made
        }
        return Token(number, label, self)
    }

    /// Ties a value to a token.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - label: A name for reports.
    /// - Returns: The value with its token.
    public func track<Value: Sendable>(_ value: Value, label: String = "value") -> Tracked<Value> {
        Tracked(value: value, token: self.token(label))
    }

    /// The number of objects that are alive.
    public var alive: Int { self.state.value.alive.count }

    /// The number of objects that were ever made.
    public var made: Int { self.state.value.made }

    /// The names of the objects that are alive, oldest first.
    public var aliveLabels: [String] { self.state.value.alive.sorted { $0.key < $1.key }.map(\.value) }

    /// Waits until none of the objects handed out so far or meanwhile is alive.
    ///
    /// - Throws: `CancellationError`, if the calling task is cancelled first.
    public func allReleased() async throws(CancellationError) {
        try await self.state.wait { $0.alive.isEmpty }
    }

    private func forget(_ number: Int) { self.state.update { _ = $0.alive.removeValue(forKey: number) } }
}
