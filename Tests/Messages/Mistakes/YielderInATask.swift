// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A yielder for another task.
//
// error: conformance of 'Generator<Element>.Yielder' to 'Sendable' is unavailable: A yielder belongs to the body of
//   its generator, and to its thread
// error: conformance of 'Generator<Element>.Yielder' to 'Sendable' is unavailable: A yielder belongs to the body of
//   its generator, and to its thread

import AsyncBridge
import Coroutines

func mistake() -> Generator<Int> {
    Generator { yield in
        let slot = ReplySlot<Generator<Int>.Yielder>()  // <-
        slot.resume(returning: yield)  // <-
    }
}
