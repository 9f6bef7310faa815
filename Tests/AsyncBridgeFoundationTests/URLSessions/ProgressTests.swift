// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("How far a transfer is", .timeLimit(.minutes(10)))
final class ProgressTests: Sendable {
    private let server: TestServer
    private let session = URLSession(configuration: .patient)
    private let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { self.server = try TestServer() }

    deinit {
        self.server.stop()
        try? FileManager.default.removeItem(at: self.place)
    }

    @Test func `progress rises, and the file comes last`() async throws {
        let size = 3_000_000
        var last: Int64 = 0
        var file: URL?
        for try await event in self.session.bridge.downloadEvents(
            for: self.server.request("huge/\(size)"),
            to: self.place
        ) {
            #expect(file == nil)
            switch event {
            case .progress(let received, let expected):
                #expect(received > last)
                #expect(expected == nil || expected == Int64(size))
                last = received
            case .finished(let there, _):
                file = there
            }
        }
        #expect(last > 0)
        #expect(file == self.place)
        #expect(try Data(contentsOf: self.place).count == size)
    }

    @Test(arguments: ["broken", "garbage"])
    func `a fault of the server ends the loop`(_ path: String) async throws {
        await #expect(throws: URLError.self) {
            for try await event in self.session.bridge.downloadEvents(for: self.server.request(path), to: self.place) {
                if case .finished = event { Issue.record("It is broken") }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: self.place.path))
    }

    @Test func `a demand for a password is an answer`() async throws {
        var answer: URLResponse?
        for try await event in self.session.bridge.downloadEvents(for: self.server.request("locked"), to: self.place) {
            if case .finished(_, let response) = event { answer = response }
        }
        #expect((answer as? HTTPURLResponse)?.statusCode == 401)
        #expect(try Data(contentsOf: self.place) == Data("no".utf8))
    }

    @Test func `leaving the loop cuts the transfer`() async throws {
        for try await _ in self.session.bridge.downloadEvents(for: self.server.request("stuck")) { break }
        await self.server.wait { $0.hangUps == 1 }
    }

    @Test func `a file that nobody takes is removed`() async throws {
        do {
            var iterator = self.session.bridge.downloadEvents(
                for: self.server.request("huge/3000000"),
                to: self.place
            ).makeAsyncIterator()
            _ = try await iterator.next()
            let place = self.place.path
            await until { FileManager.default.fileExists(atPath: place) }
        }
        let place = self.place.path
        await until { !FileManager.default.fileExists(atPath: place) }
    }

    // MARK: Uploads

    private func post(_ path: String) -> URLRequest {
        var request = self.server.request(path)
        request.httpMethod = "POST"
        return request
    }

    @Test func `progress of an upload rises, and the answer comes last`() async throws {
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 1000) })
        var last: Int64 = 0
        var answer: Data?
        for try await event in self.session.bridge.uploadEvents(for: self.post("echo"), from: body) {
            #expect(answer == nil)
            switch event {
            case .progress(let sent, let expected):
                #expect(sent >= last)
                #expect(expected == nil || expected == Int64(body.count))
                last = sent
            case .finished(let data, _):
                answer = data
            }
        }
        #expect(last > 0)
        #expect(answer == body)
    }

    @Test(arguments: ["broken", "garbage"])
    func `a fault of the server ends the loop of an upload`(_ path: String) async throws {
        await #expect(throws: URLError.self) {
            for try await event in self.session.bridge.uploadEvents(for: self.post(path), from: Data("body".utf8)) {
                if case .finished = event { Issue.record("It is broken") }
            }
        }
    }

    @Test func `a demand for a password is the answer to an upload`() async throws {
        var answer: (data: Data, response: URLResponse)?
        for try await event in self.session.bridge.uploadEvents(for: self.post("locked"), from: Data("body".utf8)) {
            if case .finished(let data, let response) = event { answer = (data, response) }
        }
        #expect((answer?.response as? HTTPURLResponse)?.statusCode == 401)
        #expect(answer?.data == Data("no".utf8))
    }

    @Test func `leaving the loop of an upload cuts the transfer`() async throws {
        for try await _ in self.session.bridge.uploadEvents(for: self.post("stuck"), from: Data("body".utf8)) { break }
        await self.server.wait { $0.hangUps == 1 }
    }
}
