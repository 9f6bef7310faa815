// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `handler()` for a `Result` that is not Swift's.
//
// error: 'handler(fileID:line:)' is unavailable: The handler gets neither the value nor Swift's 'Result' with it.
//   Make the answer: callback.handler { … }. One for failures, beside one for success, is callback.errorHandler().
//   With @Bridged, if 'Result' is a type of yours, say so: .values

import AsyncBridge

enum Outcome {
    enum Result<Value, Failure> {
        case value(Value)
        case failure(Failure)
    }
}

struct Problem {}

func load(_ completion: @escaping (Outcome.Result<Int, Problem>) -> Void) { completion(.value(1)) }

func mistake() async throws {
    let number = try await withCallback(of: Int.self) { callback in
        load(callback.handler())  // <-
    }
    print(number)
}
