// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The list of current waits, kept only while it is switched on: for the other modules too.
///
/// A linked list: a wait joins at the end and leaves from where it is, each in O(1). A dictionary would do as well, and
/// would bring 11 KB of specialised code into each program that has a callback.
package enum PendingWaits {
    private struct State {
        var first: Entry?
        var last: Entry?
    }

    private static let isTracking = Atomic(false)
    private static let state = Mutex(State())

    static var tracks: Bool {
        get { self.isTracking.load(ordering: .relaxed) }
        set { self.isTracking.store(newValue, ordering: .relaxed) }
    }

    /// The waits, oldest first.
    static var current: [BridgeDiagnostics.PendingWait] {
        self.state.withLock { state in
            var waits: [BridgeDiagnostics.PendingWait] = []
            var entry = state.first
            while let current = entry {
                waits.append(current.wait)
                entry = unsafe current.next
            }
            return waits
        }
    }

    /// A wait's line in the list, to be removed when it ends.
    package final class Entry: Sendable {
        fileprivate let wait: BridgeDiagnostics.PendingWait

        // Safe: both are used under the list's lock only.
        fileprivate nonisolated(unsafe) var previous: Entry?
        fileprivate nonisolated(unsafe) var next: Entry?

        fileprivate init(_ wait: BridgeDiagnostics.PendingWait) { self.wait = wait }

        /// Removes the wait from the list.
        ///
        /// Call once.
        package func leave() {
            PendingWaits.state.withLock { state in
                if let previous = unsafe self.previous {
                    unsafe previous.next = self.next
                } else {
                    state.first = unsafe self.next
                }
                if let next = unsafe self.next {
                    unsafe next.previous = self.previous
                } else {
                    state.last = unsafe self.previous
                }
                unsafe self.previous = nil
                unsafe self.next = nil
            }
        }
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
        let entry = Entry(
            BridgeDiagnostics.PendingWait(
                bridge: "\(bridge)",
                made: made,
                since: .now,
                task: task,
                taskName: self.taskName
            )
        )
        self.state.withLock { state in
            if let last = state.last {
                unsafe last.next = entry
                unsafe entry.previous = last
            } else {
                state.first = entry
            }
            state.last = entry
        }
        return entry
    }
}
