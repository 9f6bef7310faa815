// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Data of a URL session", .timeLimit(.minutes(10)))
final class DataTests: Sendable {
    private let server: TestServer
    private let session = URLSession(configuration: .patient)

    init() throws { self.server = try TestServer() }

    deinit { self.server.stop() }

    @Test func `of a request`() async throws {
        let (data, response) = try await self.session.bridge.data(for: self.server.request("now"))
        #expect(String(decoding: data, as: UTF8.self) == "hello")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func `of a URL`() async throws {
        #expect(try await self.session.bridge.data(from: self.server.url("now")).data == Data("hello".utf8))
    }

    @Test func `a status is no error`() async throws {
        let (_, response) = try await self.session.bridge.data(for: self.server.request("status/500"))
        #expect((response as? HTTPURLResponse)?.statusCode == 500)
    }

    @Test func `in pieces`() async throws {
        let (data, _) = try await self.session.bridge.data(for: self.server.request("pieces/100"))
        #expect(String(decoding: data, as: UTF8.self).split(separator: "\n").last == "piece 99")
    }

    @Test(arguments: ["broken", "garbage"])
    func `a fault of the server is a URLError`(_ path: String) async {
        await #expect(throws: URLError.self) {
            try await self.session.bridge.data(for: self.server.request(path))
        }
    }

    @Test func `other demands for a password are answers`() async throws {
        let (data, response) = try await self.session.bridge.data(for: self.server.request("digest"))
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(String(decoding: data, as: UTF8.self) == "no")
    }

    #if !canImport(Darwin)
    /// Refuses to give a password.
    private final class Refusal: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            completionHandler(.rejectProtectionSpace, nil)
        }
    }

    /// What the guide promises, because Foundation does no better there.
    @Test func `a demand for a password ends with the task, or by a delegate`() async throws {
        let task = Task { try await URLSession.withoutCache().bridge.data(for: self.server.request("locked")) }
        await self.server.wait { $0.answers == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }

        let configuration = URLSessionConfiguration.patient
        let session = URLSession(configuration: configuration, delegate: Refusal(), delegateQueue: nil)
        let error = await #expect(throws: URLError.self) {
            try await session.bridge.data(for: self.server.request("locked"))
        }
        #expect(error?.code == .cancelled)
        session.finishTasksAndInvalidate()
    }
    #endif

    @Test func `nobody listens`() async throws {
        let listener = try Descriptor.listening()
        let port = try listener.port()
        listener.close()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        await #expect(throws: URLError.self) { try await self.session.bridge.data(from: url) }
    }
}
