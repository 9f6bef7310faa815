// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Downloads and uploads of a URL session", .timeLimit(.minutes(10)))
final class DownloadTests: Sendable {
    private let server: TestServer
    private let session = URLSession(configuration: .patient)
    private let folder: URL

    init() throws {
        self.server = try TestServer()
        self.folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    }

    deinit {
        self.server.stop()
        try? FileManager.default.removeItem(at: self.folder)
    }

    @Test func `the file outlives the call`() async throws {
        let (file, response) = try await self.session.bridge.download(for: self.server.request("now"))
        defer { try? FileManager.default.removeItem(at: file) }
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(try Data(contentsOf: file) == Data("hello".utf8))
    }

    @Test func `to a given place`() async throws {
        let place = self.folder.appendingPathComponent("here")
        let (file, _) = try await self.session.bridge.download(from: self.server.url("pieces/3"), to: place)
        #expect(file == place)
        #expect(try String(contentsOf: place, encoding: .utf8) == "piece 0\npiece 1\npiece 2\n")
    }

    @Test func `an existing file is left alone`() async throws {
        let place = self.folder.appendingPathComponent("here")
        try Data("old".utf8).write(to: place)
        await #expect(throws: CocoaError.self) {
            try await self.session.bridge.download(for: self.server.request("now"), to: place)
        }
        #expect(try Data(contentsOf: place) == Data("old".utf8))
    }

    @Test func `a cancelled download leaves no file, and hangs up`() async throws {
        let place = self.folder.appendingPathComponent("here")
        let task = Task { try await self.session.bridge.download(for: self.server.request("stuck"), to: place) }
        await self.server.wait { $0.requests == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await self.server.wait { $0.hangUps == 1 }
        #expect(try FileManager.default.contentsOfDirectory(atPath: self.folder.path).isEmpty)
    }

    /// Foundation on Linux waits for a password forever.
    @Test func `a demand for a password is an answer`() async throws {
        let place = self.folder.appendingPathComponent("here")
        let (_, response) = try await self.session.bridge.download(for: self.server.request("locked"), to: place)
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(try String(contentsOf: place, encoding: .utf8) == "no")
    }

    @Test func `an upload`() async throws {
        var request = self.server.request("echo")
        request.httpMethod = "PUT"
        let body = Data(repeating: 65, count: 300_000)
        let (data, response) = try await self.session.bridge.upload(for: request, from: body)
        #expect(data == body)
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Method") == "PUT")
    }

    @Test func `an upload of a file`() async throws {
        let file = self.folder.appendingPathComponent("body")
        try Data("file".utf8).write(to: file)
        var request = self.server.request("echo")
        request.httpMethod = "POST"
        #expect(try await self.session.bridge.upload(for: request, fromFile: file).data == Data("file".utf8))
    }
}
