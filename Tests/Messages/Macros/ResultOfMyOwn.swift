// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A `Result` that is not the standard library's.
//
// error: 'handler(fileID:line:)' is unavailable: The handler gets neither the value nor Swift's 'Result' with it.
//   Make the answer: callback.handler { … }. One for failures, beside one for success, is callback.errorHandler().
//   With @Bridged, if 'Result' is a type of yours, say so: .values

import AsyncBridgeMacros

struct Result<Value, Failure> {}

struct Client: Sendable {
    @Bridged  // <-
    func load(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) {}
}
