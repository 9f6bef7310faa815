// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A generator that a task makes for another one.
//
// error: conformance of 'Generator<Element>' to 'Sendable' is unavailable: The body of a generator runs where its
//   iterator is used
// error: conformance of 'Generator<Element>' to 'Sendable' is unavailable: The body of a generator runs where its
//   iterator is used

import Coroutines

func mistake() async -> Int {
    let task = Task { Generator { yield in try yield(1) } }  // <-
    return await task.value.reduce(0, +)  // <-
}
