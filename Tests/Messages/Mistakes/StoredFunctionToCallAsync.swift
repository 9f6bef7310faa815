// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A function of a variable, or a method, where `callAsync` takes a closure.
//
// error: converting a value of type '@Sendable () async throws -> Quote' to type '@isolated(any) () async throws ->
//   sending Quote' risks causing data races
// error: converting a value of type '@Sendable () async throws -> Quote' to type '@isolated(any) () async throws ->
//   sending Quote' risks causing data races

import AsyncBridge

final class StoredLoader: Sendable {
    private let load: @Sendable () async throws -> Quote

    init(_ load: @escaping @Sendable () async throws -> Quote) { self.load = load }

    func quote() async throws -> Quote { try await self.load() }

    func mistake(_ completion: @escaping @Sendable (Result<Quote, any Error>) -> Void) {
        callAsync(self.load, completion: completion)  // <-
    }

    func mistakeOfAMethod(_ completion: @escaping @Sendable (Result<Quote, any Error>) -> Void) {
        callAsync(self.quote, completion: completion)  // <-
    }
}
