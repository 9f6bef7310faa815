// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures

/// Uses futures, a channel and a selection, so that a program for `Scripts/check-lean` links them, and no engine.
@main
enum LeanFutures {
    static func main() async throws {
        let promise = CoPromise<Int>()
        let doubled = promise.map { $0 * 2 }
        promise.success(21)
        print("future: \(try await doubled.value)")

        let channel = CoChannel<String>(buffering: .bounded(capacity: 1))
        let sending = Task { try await channel.send("an element") }
        let text = try await select(.receive(from: channel) { $0 }, .after(.seconds(60)) { "nothing" })
        try await sending.value
        print("selected: \(text)")

        // Each round calls the next, far beyond the end of a stack, had the library not gone on elsewhere.
        print("rounds: \(try await Self.rounds(200_000).value)")
    }

    private static func rounds(_ count: Int) -> CoFuture<Int> {
        CoFuture(result: .success(count)).flatMap { $0 == 0 ? CoFuture(result: .success(7)) : Self.rounds($0 - 1) }
    }
}
