// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import Synchronization

/// The coroutines that are alive: for programs that hang.
///
/// ```swift
/// CoroutineList.isRecording = true
/// ```
///
/// From then on each coroutine that starts is in the list until it ends:
///
/// ```swift
/// for coroutine in CoroutineList.coroutines where coroutine.since < .now - .seconds(10) { print(coroutine) }
/// ```
///
/// When off, the default, it costs one relaxed load for each start. When on, it costs an object for each coroutine and
/// a lock for each step.
public enum CoroutineList {
    private struct State {
        var records: [UInt64: CoroutineRecord] = [:]
        var nextKey: UInt64 = 0
    }

    private static let recording = Atomic(false)
    private static let state = Mutex(State())
    private static let joinsDump = OnceFlag()

    /// Whether new coroutines are put into the list; off by default.
    ///
    /// Coroutines in the list stay there until they end.
    ///
    /// Isolation: may be read and set on any thread.
    public static var isRecording: Bool {
        get { self.recording.load(ordering: .relaxed) }
        set { self.recording.store(newValue, ordering: .relaxed) }
    }

    /// The coroutines in the list, oldest first.
    ///
    /// Each is a snapshot; they are taken one after another while the coroutines run.
    ///
    /// - Complexity: O(*n* log *n*) in their number.
    public static var coroutines: [CoroutineDescription] {
        let records = self.state.withLock { $0.records.sorted { $0.key < $1.key } }
        return records.map(\.value.description)
    }

    /// Writes the coroutines in the list to standard error, one line for each.
    ///
    /// From a debugger: `call (void)async_bridge_dump_coroutines()`.
    ///
    /// Isolation: may be called on any thread.
    ///
    /// - Complexity: O(*n* log *n*) in their number.
    public static func dump() {
        let coroutines = self.coroutines
        let hint = self.isRecording ? "" : " (CoroutineList.isRecording is off)"
        StandardError.writeLine("swift-async-bridge: \(coroutines.count) coroutines\(hint)")
        for coroutine in coroutines { StandardError.writeLine("  \(coroutine)") }
    }

    /// Writes the coroutines whenever the process gets a signal, after the pending waits, and switches both lists on.
    ///
    /// ```swift
    /// try CoroutineList.dump(onSignal: SIGUSR1)
    /// ```
    ///
    /// The signal's handler only wakes a thread that was started for this purpose, so the list appears even when every
    /// other thread hangs. It replaces an earlier handler of the signal, for the rest of the process.
    ///
    /// - Parameter signal: The number of the signal.
    /// - Throws: `BridgeDiagnostics.SystemError` if the system refuses the signal, the pipe or the thread.
    public static func dump(onSignal signal: CInt) throws(BridgeDiagnostics.SystemError) {
        try BridgeDiagnostics.dumpPendingWaits(onSignal: signal)
        if self.joinsDump.setFirst() { BridgeDiagnostics.addToSignalDump { CoroutineList.dump() } }
        self.isRecording = true
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

/// Writes the coroutines to standard error, for debuggers.
///
/// The same as ``CoroutineList/dump()``, under a name that a debugger can call without Swift:
/// `async_bridge_dump_coroutines`.
@c(async_bridge_dump_coroutines)
public func dumpCoroutinesForDebugger() { CoroutineList.dump() }
