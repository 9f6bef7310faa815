// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "It hangs": which coroutines are alive, and what they wait for.

import Coroutines
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

func record() {
    // snippet.RECORD
    BridgeDiagnostics.tracksCoroutines = true
    // snippet.end
}

func list() {
    // snippet.LIST
    for coroutine in BridgeDiagnostics.coroutines where coroutine.since < .now - .seconds(10) { print(coroutine) }
    // snippet.end
}

func name() -> CoroutineHandle {
    // snippet.NAME
    DispatchQueue.global().startCoroutine(name: "nightly import") { try Coroutine.delay(.seconds(3600)) }
    // snippet.end
}

func signal() throws {
    // snippet.SIGNAL
    try BridgeDiagnostics.dumpCoroutines(onSignal: SIGUSR1)
    // snippet.end
}

func stacks() {
    // snippet.STACKS
    print(BridgeDiagnostics.stacks.inUse, "coroutines run or wait")
    // snippet.end
}

record()
let coroutine = name()
// Until it waits.
while !BridgeDiagnostics.coroutines.contains(where: { "\($0.activity)".hasPrefix("waiting for a delay") }) {
    try await Task.sleep(for: .milliseconds(1))
}
precondition(BridgeDiagnostics.coroutines.map(\.name) == ["nightly import"])
list()
stacks()
precondition(BridgeDiagnostics.stacks.inUse == 1)
BridgeDiagnostics.dumpCoroutines()
try signal()

coroutine.cancel()
await coroutine.finished()
precondition(BridgeDiagnostics.coroutines.isEmpty)
