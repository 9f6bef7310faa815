// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension BridgeDiagnostics {
    /// Whether bridges keep a list of the current waits; off by default.
    ///
    /// When off, it costs one relaxed load per wait that really suspends. When on, a lock and an entry per such wait;
    /// waits that began before are not in the list.
    ///
    /// Isolation: may be read and set on any thread.
    public static var tracksPendingWaits: Bool {
        get { PendingWaits.tracks }
        set { PendingWaits.tracks = newValue }
    }

    /// The current waits, oldest first.
    ///
    /// - Complexity: O(*n* log *n*) in their number.
    public static var pendingWaits: [PendingWait] { PendingWaits.current }

    /// Writes the current waits to standard error, one line for each: for programs that hang.
    ///
    /// From a debugger: `call (void)async_bridge_dump_pending_waits()`.
    public static func dumpPendingWaits() {
        let waits = self.pendingWaits
        let hint = self.tracksPendingWaits ? "" : " (BridgeDiagnostics.tracksPendingWaits is off)"
        StandardError.writeLine("swift-async-bridge: \(waits.count) pending waits\(hint)")
        for wait in waits { StandardError.writeLine("  \(wait)") }
    }

    /// Writes the current waits whenever the process gets a signal, and switches the list on.
    ///
    /// ```swift
    /// try BridgeDiagnostics.dumpPendingWaits(onSignal: SIGUSR1)
    /// ```
    ///
    /// The signal's handler only wakes a thread that was started for this purpose, so the list appears even when every
    /// other thread hangs. It replaces an earlier handler of the signal, for the rest of the process.
    ///
    /// Send the signal to the process: `kill -USR1` from a shell, `kill(getpid(), SIGUSR1)` from the program. `raise`
    /// sends it to the calling thread, and the threads on which tasks run block signals: there it would wait forever.
    ///
    /// - Parameter signal: The number of the signal.
    /// - Throws: ``SystemError`` if the system refuses the signal, the pipe or the thread.
    public static func dumpPendingWaits(onSignal signal: CInt) throws(SystemError) {
        try DumpThread.listen(to: signal)
        self.tracksPendingWaits = true
    }

    /// Has the signal's thread write more, after the pending waits: for the other modules.
    ///
    /// - Parameter dump: Writes it; called on that thread.
    package static func addToSignalDump(_ dump: @escaping @Sendable () -> Void) { DumpThread.add(dump) }

    /// A call that the operating system refused.
    public struct SystemError: Error, CustomStringConvertible {
        /// The system's error number: `errno`.
        public let number: CInt

        /// The function that failed.
        public let function: String

        /// The function and the error number.
        public var description: String { "\(self.function) failed with error number \(self.number)" }
    }
}

/// Writes the pending waits to standard error, for debuggers.
///
/// The same as ``BridgeDiagnostics/dumpPendingWaits()``, under a name that a debugger can call without Swift.
@_cdecl("async_bridge_dump_pending_waits")
public func dumpPendingWaitsForDebugger() { BridgeDiagnostics.dumpPendingWaits() }
