// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A generator that yields without `try`.
//
// error: call can throw, but it is not marked with 'try' and the error is not handled

import Coroutines

func mistake() -> Generator<Int> {
    Generator { yield in
        yield(1)  // <-
    }
}
