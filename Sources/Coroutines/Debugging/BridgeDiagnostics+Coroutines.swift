// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

// The coroutines that are alive: for programs that hang.

extension BridgeDiagnostics {
    private static let joinsDump = OnceFlag()

    /// Whether new coroutines are put into the list of ``coroutines``; off by default.
    ///
    /// From then on each coroutine that starts is in the list until it ends:
    ///
    /// ```swift
    /// BridgeDiagnostics.tracksCoroutines = true
    /// ```
    ///
    /// When off, it costs one relaxed load for each start. When on, it costs an object for each coroutine and a lock
    /// for each step.
    ///
    /// Isolation: may be read and set on any thread.
    public static var tracksCoroutines: Bool {
        get { CoroutineList.isRecording }
        set { CoroutineList.isRecording = newValue }
    }

    /// The coroutines that started while ``tracksCoroutines`` was on, and have not ended; oldest first.
    ///
    /// ```swift
    /// for coroutine in BridgeDiagnostics.coroutines where coroutine.since < .now - .seconds(10) { print(coroutine) }
    /// ```
    ///
    /// Each is a snapshot; they are taken one after another while the coroutines run.
    ///
    /// - Complexity: O(*n* log *n*) in their number.
    public static var coroutines: [CoroutineDescription] { CoroutineList.coroutines }

    /// Writes the coroutines in the list to standard error, one line for each.
    ///
    /// From a debugger: `call (void)async_bridge_dump_coroutines()`.
    ///
    /// Isolation: may be called on any thread.
    ///
    /// - Complexity: O(*n* log *n*) in their number.
    public static func dumpCoroutines() {
        let coroutines = self.coroutines
        let hint = self.tracksCoroutines ? "" : " (BridgeDiagnostics.tracksCoroutines is off)"
        StandardError.writeLine("swift-async-bridge: \(coroutines.count) coroutines\(hint)")
        for coroutine in coroutines { StandardError.writeLine("  \(coroutine)") }
    }

    /// Writes the coroutines whenever the process gets a signal, after the pending waits, and switches both lists on.
    ///
    /// ```swift
    /// try BridgeDiagnostics.dumpCoroutines(onSignal: SIGUSR1)
    /// ```
    ///
    /// The signal's handler only wakes a thread that was started for this purpose, so the list appears even when every
    /// other thread hangs. It replaces an earlier handler of the signal, for the rest of the process.
    ///
    /// - Parameter signal: The number of the signal.
    /// - Throws: `BridgeDiagnostics.SystemError` if the system refuses the signal, the pipe or the thread.
    public static func dumpCoroutines(onSignal signal: CInt) throws(SystemError) {
        try self.dumpPendingWaits(onSignal: signal)
        if self.joinsDump.setFirst() { self.addToSignalDump { self.dumpCoroutines() } }
        self.tracksCoroutines = true
    }
}

/// Writes the coroutines to standard error, for debuggers.
///
/// The same as `BridgeDiagnostics.dumpCoroutines()`, under a name that a debugger can call without Swift:
/// `async_bridge_dump_coroutines`.
@_cdecl("async_bridge_dump_coroutines")
public func dumpCoroutinesForDebugger() { BridgeDiagnostics.dumpCoroutines() }
