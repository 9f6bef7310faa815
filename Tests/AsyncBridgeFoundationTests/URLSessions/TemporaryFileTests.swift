// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Each in a process of its own, with a temporary folder of its own, of which the files can be counted.
@Suite("Files that downloads leave", .timeLimit(.minutes(10)))
struct TemporaryFileTests {
    @Test func `a download leaves its file only`() async {
        await #expect(processExitsWith: .success) {
            try await Self.inAFolder { server, files in
                let bridge = URLSession(configuration: .patient).bridge
                for route in ["now", "redirect", "status/404", "pieces/3"] {
                    let (file, _) = try await bridge.download(for: server.request(route))
                    require(files() == [file.lastPathComponent], "after \(route): \(files())")
                    try FileManager.default.removeItem(at: file)
                }
            }
        }
    }

    @Test func `a cancelled download leaves none`() async {
        await #expect(processExitsWith: .success) {
            for cancellation in [TransferCancellation.standard, .cancel, .abandon] {
                try await Self.inAFolder { server, files in
                    let bridge = URLSession(configuration: .patient).bridge(cancellation: cancellation)
                    let task = Task { try await bridge.download(for: server.request("held")) }
                    // The first piece of the body is in its file.
                    await until { !files().isEmpty }
                    task.cancel()
                    _ = await task.result
                    server.gate.open()
                    await until { files().isEmpty }
                }
            }
        }
    }

    @Test func `a failed download leaves none`() async {
        await #expect(processExitsWith: .success) {
            try await Self.inAFolder { server, files in
                let place = FileManager.default.temporaryDirectory.appendingPathComponent("old")
                try Data("old".utf8).write(to: place)
                let bridge = URLSession(configuration: .patient).bridge
                for (route, destination) in [("broken", nil), ("garbage", nil), ("now", place)] {
                    let result = await Task {
                        try await bridge.download(for: server.request(route), to: destination)
                    }.result
                    if case .success = result { fatalError("\(route) did not fail") }
                    await until { files() == ["old"] }
                }
                require(try Data(contentsOf: place) == Data("old".utf8), "the old file was changed")
            }
        }
    }

    @Test func `download events leave none`() async {
        await #expect(processExitsWith: .success) {
            try await Self.inAFolder { server, files in
                let bridge = URLSession(configuration: .patient).bridge
                for try await _ in bridge.downloadEvents(for: server.request("held")) { break }
                await until { files().isEmpty }
                server.gate.open()
                for route in ["broken", "garbage"] {
                    do { for try await _ in bridge.downloadEvents(for: server.request(route)) {} } catch {}
                    await until { files().isEmpty }
                }
                for try await case .finished(let file, _) in bridge.downloadEvents(for: server.request("pieces/3")) {
                    require(files() == [file.lastPathComponent], "after the end: \(files())")
                    try FileManager.default.removeItem(at: file)
                }
                require(files().isEmpty, "at the end: \(files())")
            }
        }
    }

    private static func inAFolder(
        _ body: (_ server: TestServer, _ files: @escaping @Sendable () -> Set<String>) async throws -> Void
    ) async throws {
        let temporary = FileManager.default.temporaryDirectory
        let folder = temporary.appendingPathComponent("downloads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        setenv("TMPDIR", folder.path + "/", 1)
        defer {
            // The folder of the next round would lie in this one, and bring it back.
            setenv("TMPDIR", temporary.path + "/", 1)
            try? FileManager.default.removeItem(at: folder)
        }
        require(FileManager.default.temporaryDirectory.path == folder.path, "TMPDIR is not looked at")
        let server = try TestServer()
        defer { server.stop() }
        try await body(server) { Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []) }
    }
}

private func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard condition else { fatalError(message()) }
}
