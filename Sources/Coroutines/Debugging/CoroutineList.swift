// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// The coroutines in the list of `BridgeDiagnostics`.
enum CoroutineList {
    private struct State {
        var records: [UInt64: CoroutineRecord] = [:]
        var nextKey: UInt64 = 0
    }

    private static let recording = Atomic(false)
    private static let state = Mutex(State())

    static var isRecording: Bool {
        get { self.recording.load(ordering: .relaxed) }
        set { self.recording.store(newValue, ordering: .relaxed) }
    }

    /// Oldest first.
    static var coroutines: [BridgeDiagnostics.CoroutineDescription] {
        let records = self.state.withLock { $0.records.sorted { $0.key < $1.key } }
        return records.map(\.value.description)
    }

    static func enter(_ record: CoroutineRecord) -> UInt64 {
        self.state.withLock { state in
            state.nextKey += 1
            state.records[state.nextKey] = record
            return state.nextKey
        }
    }

    static func leave(_ key: UInt64) {
        releaseHere(self.state.withLock { $0.records.removeValue(forKey: key) })
    }
}
