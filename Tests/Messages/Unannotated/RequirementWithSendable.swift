// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A requirement of the library, implemented with a Sendable completion.
//
// warning: add '@preconcurrency' to treat 'Sendable'-related errors from module 'UnannotatedLibrary' as warnings
// error: sendability of function types in instance method 'load(completion:)' does not match requirement in
//   protocol 'UsersNamesLoader'

import AsyncBridge
import UnannotatedLibrary  // <-

struct Names: UsersNamesLoader {
    func load(completion: @escaping @Sendable (Result<[String], any Error>) -> Void) {  // <-
        callAsync {
            ["Aristotle"]
        } completion: { (result: Result<[String], any Error>) in
            completion(result)
        }
    }
}
