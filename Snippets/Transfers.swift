// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Foundation's callbacks, awaited.

import AsyncBridge
import AsyncBridgeFoundation
import Coroutines
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func makeSession() -> URLSession {
    let configuration = URLSessionConfiguration.default
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    return session
}

func load(_ request: URLRequest, _ session: URLSession) async throws {
    let (data, response) = try await session.bridge.data(for: request)
    print(data, response)
}

func download(_ request: URLRequest, _ session: URLSession) async throws {
    let (file, _) = try await session.bridge.download(for: request)
    defer { try? FileManager.default.removeItem(at: file) }
    print(try Data(contentsOf: file).count)
}

func measure(_ request: URLRequest, _ session: URLSession) async throws -> Int {
    var size = 0
    let (chunks, _) = try await session.bridge.chunks(for: request)
    for try await chunk in chunks { size += chunk.count }
    return size
}

func printLines(_ request: URLRequest, _ session: URLSession) async throws {
    let (lines, _) = try await session.bridge.lines(for: request)
    for try await line in lines { print(line) }
}

func showProgress(_ request: URLRequest, _ session: URLSession) async throws {
    for try await event in session.bridge.downloadEvents(for: request) { print(event) }
}

func showProgress(_ body: Data, _ request: URLRequest, _ session: URLSession) async throws {
    for try await event in session.bridge.uploadEvents(for: request, from: body) { print(event) }
}

func future(_ request: URLRequest, _ session: URLSession) -> CoFuture<(data: Data, response: URLResponse)> {
    let future = session.dataTaskFuture(for: request)
    return future
}

func thumbnail(of image: Image, on queue: OperationQueue) async throws -> Image {
    let thumbnail = try await queue.run { image.thumbnail() }
    return thumbnail
}

@MainActor
func showTicks() async throws {
    for try await moment in RunLoop.main.ticks(every: 0.1) { print(moment) }
}

func countTicks() async throws {
    for try await count in DispatchSource.ticks(every: .milliseconds(100)) { print(count) }
}

func reloadOnSignal() async throws {
    for try await _ in DispatchSource.signals(SIGHUP) { reload() }
}

func printLoaded(_ center: NotificationCenter) async throws {
    for try await id in center.values(of: .quoteLoaded, { $0.userInfo?["id"] as? Int }) { print(id ?? 0) }
}

func list() async throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exit 0"]
    let end = try await process.runToEnd()
    return end.isSuccess
}

// snippet.hide

struct Image: Sendable { func thumbnail() -> Image { self } }

extension Notification.Name { static let quoteLoaded = Self("quoteLoaded") }

func reload() {}

_ = try await thumbnail(of: Image(), on: OperationQueue())
let isSuccess = try await list()
precondition(isSuccess)
