// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Find a wait that never ends", and what is reported.

import AsyncBridge

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

func handler(logger: Logger) {
    // snippet.HANDLER
    BridgeDiagnostics.setHandler { misuse in
        logger.warning("\(misuse)")
    }
    // snippet.end
}

func policy() {
    // snippet.POLICY
    #if DEBUG
    BridgeDiagnostics.policy = .trap
    #endif
    // snippet.end
    BridgeDiagnostics.policy = .report
}

func signal() throws {
    // snippet.SIGNAL
    try BridgeDiagnostics.dumpPendingWaits(onSignal: SIGUSR1)
    // snippet.end
}

func list(logger: Logger) {
    // snippet.LIST
    BridgeDiagnostics.tracksPendingWaits = true
    // snippet.end
    // snippet.PRINT
    for wait in BridgeDiagnostics.pendingWaits where wait.since < .now - .seconds(10) {
        logger.warning("\(wait)")
    }
    // snippet.end
}

handler(logger: Logger())
policy()
try signal()
list(logger: Logger())
BridgeDiagnostics.dumpPendingWaits()

// snippet.hide
// MARK: - Stand-ins

struct Logger: Sendable {
    func warning(_ message: String) { print("warning: \(message)") }
}
