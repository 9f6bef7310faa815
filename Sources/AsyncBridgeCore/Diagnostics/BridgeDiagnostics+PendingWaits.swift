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
    /// - Complexity: O(*n*) in their number.
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
}

/// Writes the pending waits to standard error, for debuggers.
///
/// The same as ``BridgeDiagnostics/dumpPendingWaits()``, under a name that a debugger can call without Swift.
@_cdecl("async_bridge_dump_pending_waits")
public func dumpPendingWaitsForDebugger() { BridgeDiagnostics.dumpPendingWaits() }
