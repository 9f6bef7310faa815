// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The calls of one function of a source, and which of them run its script.
///
/// A script may call the bridge, and a wrong bridge calls the function again: inside the script, or again and again.
/// Each call is counted, but only some run the script: the bridge must not make the suite recurse without end.
struct ScriptedCalls: Sendable {
    /// How many calls run the script, one after the other or on several threads.
    ///
    /// A right bridge makes one.
    static let limit = 100

    /// How many calls were made.
    private(set) var count = 0
    /// How many calls were made too deep inside others, so that they did not run the script.
    private(set) var refused = 0

    /// How many calls of one thread may run the script inside each other.
    private let deepest: Int
    /// The threads that run the script, one for each call.
    private var threads: [ThreadID] = []

    init(deepest: Int) { self.deepest = deepest }

    /// Notes a call.
    ///
    /// - Parameter thread: The thread that makes it.
    /// - Returns: Whether the script is run. Then ``end(on:)`` follows.
    mutating func begin(on thread: ThreadID) -> Bool {
        self.count += 1
        let depth = self.threads.count { $0 == thread }
        if depth >= self.deepest { self.refused += 1 }
        guard depth < self.deepest, self.count <= Self.limit else { return false }
        self.threads.append(thread)
        return true
    }

    /// Notes that the script has been run.
    mutating func end(on thread: ThreadID) {
        if let index = self.threads.lastIndex(of: thread) { self.threads.remove(at: index) }
    }
}
