// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The suite's calls on separate threads, because a wrong bridge may never return.
///
/// Why not on the suite's own thread: it would hang with the bridge, and with it the whole test process.
final class Errands: Sendable {
    /// How many threads have not come back.
    let outstanding = Watched(0)

    /// Begins something on its own thread.
    ///
    /// - Parameters:
    ///   - stackSize: The size of the thread's stack in bytes; `nil` is the system's.
    ///   - body: What to do. It may never return; then the thread is leaked, and stays counted.
    ///   - isDone: Is set when it has returned.
    func begin(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void, isDone: Watched<Bool>? = nil) {
        self.outstanding.update { $0 += 1 }
        startThread(stackSize: stackSize) {
            body()
            isDone?.update { $0 = true }
            self.outstanding.update { $0 -= 1 }
        }
    }
}

/// How many threads wrong bridges have cost this process.
enum LostThreads {
    private static let total = Atomic(0)

    /// Counts threads that are lost.
    ///
    /// - Returns: How many there are so far.
    static func add(_ count: Int) -> Int { Self.total.add(count, ordering: .relaxed).newValue }
}
