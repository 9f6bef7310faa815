// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The list of current waits, kept only while it is switched on: for the other modules too.
package enum PendingWaits {
    private struct State {
        var waits: [UInt64: BridgeDiagnostics.PendingWait] = [:]
        var nextKey: UInt64 = 0
    }

    private static let isTracking = Atomic(false)
    private static let state = Mutex(State())

    static var tracks: Bool {
        get { self.isTracking.load(ordering: .relaxed) }
        set { self.isTracking.store(newValue, ordering: .relaxed) }
    }

    static var current: [BridgeDiagnostics.PendingWait] {
        self.state.withLock { $0.waits.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// A wait's line in the list, to be removed when it ends.
    package struct Entry: Sendable {
        fileprivate let key: UInt64

        package func leave() { PendingWaits.state.withLock { _ = $0.waits.removeValue(forKey: self.key) } }
    }

    private static var taskName: String? {
        // Tasks have names since Swift 6.2, and the systems that came with it.
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return nil }
        return Task.name
    }

    /// Adds a wait of the current task, if the list is switched on.
    package static func enter(_ bridge: StaticString, made: CallSite) -> Entry? {
        guard self.tracks else { return nil }
        // Safe: the task's handle is not kept, only its hash.
        let task = unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe UInt(bitPattern: $0.hashValue) } }
        let wait = BridgeDiagnostics.PendingWait(
            bridge: "\(bridge)",
            made: made,
            since: .now,
            task: task,
            taskName: self.taskName
        )
        return self.state.withLock { state in
            state.nextKey += 1
            state.waits[state.nextKey] = wait
            return Entry(key: state.nextKey)
        }
    }
}
