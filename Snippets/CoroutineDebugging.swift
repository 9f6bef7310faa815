// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "It hangs: which coroutine waits for what".

import AsyncBridge
import Coroutines

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

func record() {
    // snippet.RECORD
    CoroutineList.isRecording = true
    // snippet.end
}

func list() {
    // snippet.LIST
    for coroutine in CoroutineList.coroutines where coroutine.since < .now - .seconds(10) { print(coroutine) }
    // snippet.end
}

func signal() throws {
    // snippet.SIGNAL
    try CoroutineList.dump(onSignal: SIGUSR1)
    // snippet.end
}

func count() {
    // snippet.STACKS
    print(CoroutineStacks.statistics.inUse, "coroutines run or wait")
    // snippet.end
}

record()
try signal()
try await withCoroutine(name: "example") {
    try Coroutine.await {
        precondition(CoroutineList.coroutines.map(\.name) == ["example"])
        precondition(CoroutineStacks.statistics.inUse == 1)
    }
}
list()
count()
precondition(CoroutineList.coroutines.isEmpty)
