// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `handler()` for `(Int?, Problem?)`, where `Problem` is no `Error`.
//
// error: 'handler(fileID:line:)' is unavailable: The handler gets no 'Error' that tells of failure. Make the
//   answer: callback.handler { … }. If another type tells of it, name that: callback.handler(failure: Problem.self)

import AsyncBridge

struct Problem {}

func load(_ completion: @escaping (Int?, Problem?) -> Void) { completion(1, nil) }

func mistake() async throws {
    let number = try await withCallback(of: Int.self) { callback in
        load(callback.handler())  // <-
    }
    print(number)
}
