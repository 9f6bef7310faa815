// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Which calls between a source and its bridge have not returned: what a hang is explained with.
struct Progress: ~Copyable, Sendable {
    private let starts = Atomic(0)
    private let cancels = Atomic(0)
    private let handlers = Atomic(0)

    /// Whether one of the bridge's handlers hangs inside the source's `cancel()`, or while that runs.
    var hangsInsideCancel: Bool {
        self.cancels.load(ordering: .relaxed) > 0 && self.handlers.load(ordering: .relaxed) > 0
    }

    /// Whether one of the bridge's handlers has not returned.
    var isInHandler: Bool { self.handlers.load(ordering: .relaxed) > 0 }

    /// Whether the source's `start` has not returned.
    var isInStart: Bool { self.starts.load(ordering: .relaxed) > 0 }

    /// Runs what the source does in `start`.
    func inStart(_ body: () -> Void) {
        self.starts.add(1, ordering: .relaxed)
        body()
        self.starts.subtract(1, ordering: .relaxed)
    }

    /// Runs what the source does in `cancel()`.
    func inCancel(_ body: () -> Void) {
        self.cancels.add(1, ordering: .relaxed)
        body()
        self.cancels.subtract(1, ordering: .relaxed)
    }

    /// Runs one of the bridge's handlers.
    func inHandler(_ body: () -> Void) {
        self.handlers.add(1, ordering: .relaxed)
        body()
        self.handlers.subtract(1, ordering: .relaxed)
    }
}
