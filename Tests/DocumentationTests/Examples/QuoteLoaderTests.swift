// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization
import Testing

/// Loads quotes, and keeps the requests that are under way.
final class QuoteLoader: Sendable {
    private let requests = Mutex<[Int: SourceHandle]>([:])

    nonisolated(nonsending) func quote(from source: OneShotSource) async throws -> Int {
        let number = self.requests.withLock { $0.count }
        defer { self.requests.withLock { $0[number] = nil } }
        return try await withCallback { callback in
            let request = source.start(callback.handler())
            self.requests.withLock { $0[number] = request }
        } onCancel: {
            self.requests.withLock { $0[number] }?.cancel()
        }
    }
}

// It fails, as the guide says: `WalkTests` runs it.
@Suite(.disabled("runs in WalkTests"), .timeLimit(.minutes(5)))
struct QuoteLoaderTests {
    @Test func obeysTheLaws() async {
        let loader = QuoteLoader()
        let violations = await OneShotLaws.check("quotes") { source in
            try await loader.quote(from: source)
        }
        #expect(violations.isEmpty, "\(violations)")
    }
}

/// The loader of the walk's end.
final class MendedQuoteLoader: Sendable {
    private let requests = Mutex<[Int: SourceHandle]>([:])
    // snippet.MENDED
    private let lastNumber = Mutex(0)

    nonisolated(nonsending) func quote(from source: OneShotSource) async throws -> Int {
        let number = self.lastNumber.withLock { number in
            number += 1
            return number
        }
        // snippet.end
        defer { self.requests.withLock { $0[number] = nil } }
        return try await withCallback { callback in
            let request = source.start(callback.handler())
            self.requests.withLock { $0[number] = request }
        } onCancel: {
            self.requests.withLock { $0[number] }?.cancel()
        }
    }
}
