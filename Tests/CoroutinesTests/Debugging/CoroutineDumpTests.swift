// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import Foundation
import Testing

/// In processes of their own: they send signals, and read what is written to standard error.
@Suite("CoroutineList: the dump", .timeLimit(.minutes(10)))
struct CoroutineDumpTests {
    /// What standard error holds from the library, but for the times.
    private static func lines(of result: ExitTest.Result?) -> [String] {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n").map { line in
            String(line).replacing(#/, for [^,]*, on /#, with: ", for …, on ")
        }
    }

    @Test func `off and empty says so`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            BridgeDiagnostics.dumpCoroutines()
            BridgeDiagnostics.tracksCoroutines = true
            BridgeDiagnostics.dumpCoroutines()
        }
        #expect(
            Self.lines(of: result) == [
                "swift-async-bridge: 0 coroutines (BridgeDiagnostics.tracksCoroutines is off)",
                "swift-async-bridge: 0 coroutines",
            ]
        )
    }

    @Test func `a line for each coroutine`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            BridgeDiagnostics.tracksCoroutines = true
            let (scheduler, gate) = (ManualScheduler(), Gate())
            scheduler.startCoroutine(name: "import", fileID: "Module/File.swift", line: 1) {
                try Coroutine.await(fileID: "Module/File.swift", line: 2) { try await gate.pass() }
            }
            scheduler.run()
            scheduler.startCoroutine(fileID: "Module/File.swift", line: 3) {}
            BridgeDiagnostics.dumpCoroutines()
        }
        let scheduler = "CoroutinesTests.ManualScheduler"
        #expect(
            Self.lines(of: result) == [
                "swift-async-bridge: 2 coroutines",
                "  coroutine 'import' started at Module/File.swift:1, for …, on \(scheduler), "
                    + "waiting for an operation at Module/File.swift:2",
                "  coroutine started at Module/File.swift:3, for …, on \(scheduler), scheduled",
            ]
        )
    }

    // Swift 6.2 ends with an assertion at a second declaration of a C function.
    #if compiler(>=6.3)
    /// As a debugger calls it.
    @Test func `by its C name`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { dumpByItsCName() }
        #expect(
            Self.lines(of: result) == ["swift-async-bridge: 0 coroutines (BridgeDiagnostics.tracksCoroutines is off)"]
        )
    }
    #endif

    @Test func `a signal writes the waits and the coroutines, as often as it comes`() async {
        await #expect(processExitsWith: .success) {
            let output = StandardErrorPipe()
            try BridgeDiagnostics.dumpCoroutines(onSignal: SIGUSR1)
            #expect(BridgeDiagnostics.tracksCoroutines && BridgeDiagnostics.tracksPendingWaits)
            let scheduler = ManualScheduler()
            scheduler.startCoroutine(name: "import", fileID: "Module/File.swift", line: 1) {}
            for _ in 0..<3 {
                kill(getpid(), SIGUSR1)
                #expect(output.next() == "swift-async-bridge: 0 pending waits")
                #expect(output.next() == "swift-async-bridge: 1 coroutines")
                #expect(output.next().hasPrefix("  coroutine 'import' started at Module/File.swift:1, for "))
            }
            scheduler.run()
        }
    }

    @Test func `two signals write the list once each`() async {
        await #expect(processExitsWith: .success) {
            let output = StandardErrorPipe()
            try BridgeDiagnostics.dumpCoroutines(onSignal: SIGUSR1)
            try BridgeDiagnostics.dumpCoroutines(onSignal: SIGUSR1)
            try BridgeDiagnostics.dumpCoroutines(onSignal: SIGUSR2)
            for signal in [SIGUSR1, SIGUSR2, SIGUSR1] {
                kill(getpid(), signal)
                #expect(output.next() == "swift-async-bridge: 0 pending waits")
                #expect(output.next() == "swift-async-bridge: 0 coroutines")
            }
        }
    }

    @Test func `a signal that cannot be caught is an error, and switches nothing on`() async {
        await #expect(processExitsWith: .success) {
            let error = #expect(throws: BridgeDiagnostics.SystemError.self) {
                try BridgeDiagnostics.dumpCoroutines(onSignal: SIGKILL)
            }
            #expect(error?.number == EINVAL)
            #expect(!BridgeDiagnostics.tracksCoroutines)
        }
    }
}

#if compiler(>=6.3)
/// A function that is called by the name that debuggers use.
@_silgen_name("async_bridge_dump_coroutines")
private func dumpByItsCName()
#endif
