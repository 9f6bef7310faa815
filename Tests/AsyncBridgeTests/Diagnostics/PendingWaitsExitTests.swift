// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import Synchronization
import Testing

/// In processes of their own: they send signals, and read what is written to standard error.
@Suite("Pending waits: the dump", .timeLimit(.minutes(10)))
struct PendingWaitsExitTests {
    @Test func `a signal writes the waits, as often as it comes`() async {
        await #expect(processExitsWith: .success) {
            let output = StandardErrorPipe()
            try BridgeDiagnostics.dumpPendingWaits(onSignal: SIGUSR1)
            #expect(BridgeDiagnostics.tracksPendingWaits)
            send(SIGUSR1)
            output.expect(["swift-async-bridge: 0 pending waits"])

            let exchange = Exchange<Int>.parked()
            send(SIGUSR1)
            output.expect([
                "swift-async-bridge: 1 pending waits",
                "  withCallback at \(exchange.place.site), for ",
            ])

            exchange.resume(returning: 1)
            exchange.wait.turn()
            send(SIGUSR1)
            output.expect(["swift-async-bridge: 0 pending waits"])
        }
    }

    /// Every thread of the pool may be blocked when it hangs.
    @Test func `the signal is answered while this thread does not suspend`() async {
        await #expect(processExitsWith: .success) {
            let output = StandardErrorPipe()
            try BridgeDiagnostics.dumpPendingWaits(onSignal: SIGUSR2)
            let exchanges = (0..<3).map { _ in Exchange<Int>.parked() }
            // In release, an object goes after its last use, and its wait with it.
            withExtendedLifetime(exchanges) {
                send(SIGUSR2)
                output.expect(
                    ["swift-async-bridge: 3 pending waits"]
                        + exchanges.map { "  withCallback at \($0.place.site), for " }
                )
            }
        }
    }

    @Test func `listening twice writes once`() async {
        await #expect(processExitsWith: .success) {
            let output = StandardErrorPipe()
            try BridgeDiagnostics.dumpPendingWaits(onSignal: SIGUSR1)
            try BridgeDiagnostics.dumpPendingWaits(onSignal: SIGUSR1)
            try BridgeDiagnostics.dumpPendingWaits(onSignal: SIGUSR2)
            send(SIGUSR1)
            output.expect(["swift-async-bridge: 0 pending waits"])
            let exchange = Exchange<Int>.parked()
            withExtendedLifetime(exchange) {
                send(SIGUSR2)
                // The next line, so nothing came between.
                output.expect(["swift-async-bridge: 1 pending waits", "  withCallback at \(exchange.place.site), for "])
            }
        }
    }

    @Test func `a signal that cannot be caught is an error`() {
        let error = #expect(throws: BridgeDiagnostics.SystemError.self) {
            try BridgeDiagnostics.dumpPendingWaits(onSignal: SIGKILL)
        }
        #expect(error?.function == "sigaction")
        #expect(error?.number == EINVAL)
        #expect(error.map { "\($0)" } == "sigaction failed with error number \(EINVAL)")
    }

    // Swift 6.2 ends with an assertion at a second declaration of a C function.
    #if compiler(>=6.3)
    /// As a debugger calls it.
    @Test func `the dump is callable by its C name`() async {
        await #expect(processExitsWith: .success) {
            let output = StandardErrorPipe()
            dumpByItsCName()
            output.expect(["swift-async-bridge: 0 pending waits (BridgeDiagnostics.tracksPendingWaits is off)"])
        }
    }
    #endif

    @Test func `off at first, the list is empty`() async {
        await #expect(processExitsWith: .success) {
            let exchange = Exchange<Int>.parked()
            precondition(!BridgeDiagnostics.tracksPendingWaits)
            precondition(BridgeDiagnostics.pendingWaits.isEmpty)
            exchange.resume(returning: 1)
            exchange.wait.turn()
        }
    }
}

/// Sends a signal to this process, as `kill` does from a shell.
///
/// Not `raise`, which sends it to the calling thread: the threads of the pool let no signal through.
private func send(_ signal: CInt) { kill(getpid(), signal) }

#if compiler(>=6.3)
/// A function that is called by the name that debuggers use.
@_silgen_name("async_bridge_dump_pending_waits")
private func dumpByItsCName()
#endif
