// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Coroutines
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Futures of a URL session", .timeLimit(.minutes(10)))
final class FutureTests: Sendable {
    private let server: TestServer
    private let session = URLSession.withoutCache()

    init() throws { self.server = try TestServer() }

    deinit { self.server.stop() }

    @Test func `of a request`() async throws {
        let (data, response) = try await self.session.dataTaskFuture(for: self.server.request("now")).value
        #expect(data == Data("hello".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func `in a coroutine`() async throws {
        let url = self.server.url("now")
        let text = try await withCoroutine { try self.session.dataTaskFuture(for: url).await().data }
        #expect(text == Data("hello".utf8))
    }

    @Test func `of what fails`() async {
        let future = self.session.dataTaskFuture(for: self.server.request("broken"))
        await #expect(throws: URLError.self) { try await future.value }
    }

    @Test func `cancelled, cuts the transfer`() async {
        let future = self.session.dataTaskFuture(for: self.server.request("never"))
        await self.server.wait { $0.requests == 1 }
        future.cancel()
        await #expect(throws: CancellationError.self) { try await future.value }
        await self.server.wait { $0.hangUps == 1 }
    }
}
