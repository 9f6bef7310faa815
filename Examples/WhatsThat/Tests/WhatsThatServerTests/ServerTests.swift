// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import AsyncBridgeTesting
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing
import WhatsThatServer
import WhatsThatServices
import WhatsThatTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A classifier that answers when the test says so.
private final class PlayedClassifier: ImageClassifier {
    typealias Completion = @Sendable (Result<ImageClassifierService.Classification, any Error>) -> Void

    private let completions = Mutex<[Completion]>([])
    let log = EventLog()

    func classifyImage(_ image: Image, completion: @escaping Completion) -> ClassificationRequest {
        self.completions.withLock { $0.append(completion) }
        self.log.record("asked")
        return ClassificationRequest {
            self.log.record("cancelled")
            completion(.failure(CancellationError()))
        }
    }

    /// Answers all that wait.
    func answer() {
        let completions = self.completions.withLock { completions in
            defer { completions = [] }
            return completions
        }
        for completion in completions {
            completion(.success(.init(candidates: [.init(label: "something", probability: 0.75)])))
        }
    }
}

@Suite("The server", .timeLimit(.minutes(10)))
struct ServerTests {
    private struct Answer: Decodable, Equatable {
        struct Candidate: Decodable, Equatable {
            var label: String
            var probability: Double
        }

        struct Failure: Decodable, Equatable { var message: String }

        var caption: String?
        var candidates: [Candidate]?
        var error: Failure?
    }

    private struct Health: Decodable, Equatable {
        struct Latency: Decodable, Equatable {
            var median: Double?
            var worst: Double?
        }

        var status: String
        var running: Int
        var waiting: Int
        var latency: Latency
    }

    private static func request(_ address: String, _ path: String, body: [UInt8]? = nil) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: address + path)))
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body)
        }
        return request
    }

    private static func answer(_ address: String, _ path: String, body: [UInt8]? = nil) async throws -> (Int, Data) {
        let (data, response) = try await URLSession.shared.bridge.data(for: Self.request(address, path, body: body))
        return (try #require(response as? HTTPURLResponse).statusCode, data)
    }

    private static func classify(_ address: String, _ body: [UInt8]) async throws -> (status: Int, answer: Answer) {
        let (status, data) = try await Self.answer(address, "/classify", body: body)
        return (status, try JSONDecoder().decode(Answer.self, from: data))
    }

    private static func health(_ address: String) async throws -> Health {
        let (status, data) = try await Self.answer(address, "/health")
        #expect(status == 200)
        return try JSONDecoder().decode(Health.self, from: data)
    }

    /// Waits until the server says so.
    private static func health(_ address: String, until holds: (Health) -> Bool) async throws {
        while !holds(try await Self.health(address)) {}
    }

    // MARK: Answers

    @Test
    func `the page has no part elsewhere, and knows the limit`() async throws {
        var configuration = ClassificationServer.Configuration()
        configuration.uploadLimit = 12345
        try await ClassificationServer.withServer(configuration, classifier: PlayedClassifier()) { address in
            let (data, response) = try await URLSession.shared.bridge.data(for: Self.request(address, "/"))
            let text = String(decoding: data, as: UTF8.self)
            #expect(text.contains("const limit = 12345;"))
            #expect(!text.contains("{{"))
            let headers = try #require(response as? HTTPURLResponse)
            #expect(
                headers.value(forHTTPHeaderField: "Content-Security-Policy")?.hasPrefix("default-src 'none'") == true
            )
        }
    }

    @Test(.enabled(if: TestLibrary.shared != nil, "\(TestLibrary.advice)"))
    func `a picture gets a caption and candidates`() async throws {
        try await ClassificationServer.withServer(classifier: try TestLibrary.service()) { address in
            let (status, answer) = try await Self.classify(address, try Drawing(.green).file(.jpeg))
            #expect(status == 200)
            #expect(answer.caption == "green 100 %")
            #expect(answer.candidates?.map(\.label).first == "green")
            #expect(answer.candidates?.count == 3)
            let health = try await Self.health(address)
            #expect(health.running == 0 && health.waiting == 0)
            #expect((health.latency.median ?? 0) > 0 && health.latency.median == health.latency.worst)
        }
    }

    @Test(.enabled(if: TestLibrary.shared != nil, "\(TestLibrary.advice)"))
    func `what is no picture is said in words`() async throws {
        var configuration = ClassificationServer.Configuration()
        configuration.uploadLimit = 5000
        try await ClassificationServer.withServer(configuration, classifier: try TestLibrary.service()) { address in
            let file = try Drawing(.green).file(.png)
            let expected: [([UInt8], Int)] = [
                (Array("hello".utf8), 415), (file.dropLast(20), 422), ([], 400),
                ([UInt8](repeating: 9, count: 5001), 413),
            ]
            for (body, expectedStatus) in expected {
                let (status, answer) = try await Self.classify(address, body)
                #expect(status == expectedStatus)
                #expect(answer.error?.message.hasSuffix(".") == true)
                #expect(answer.caption == nil)
            }
            let (status, data) = try await Self.answer(address, "/nowhere")
            #expect(status == 404)
            #expect(try JSONDecoder().decode(Answer.self, from: data).error != nil)
            // The server is none the worse for it.
            #expect(try await Self.classify(address, file).status == 200)
        }
    }

    @Test
    func `another server's page may not ask`() async throws {
        try await ClassificationServer.withServer(classifier: PlayedClassifier()) { address in
            var request = try Self.request(address, "/classify", body: [1])
            request.setValue("http://elsewhere.example", forHTTPHeaderField: "Origin")
            let (_, response) = try await URLSession.shared.bridge.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 403)
        }
    }

    // MARK: Many users

    @Test(
        .enabled(if: TestLibrary.shared != nil, "\(TestLibrary.advice)")
    )
    func `200 uploads at once: each answer is right, and memory is bounded`() async throws {
        var configuration = ClassificationServer.Configuration()
        configuration.waiting = 200
        // Half a million pixels each: 2 MB while it is decoded, 400 MB if all were at once.
        let colours: [(Drawing.Colour, String)] = [(.red, "red"), (.green, "green"), (.blue, "blue")]
        let files = try colours.map { (try Drawing($0.0, width: 700, height: 700).file(.jpeg), $0.1) }
        let settings = URLSessionConfiguration.default
        settings.httpMaximumConnectionsPerHost = 200
        let session = URLSession(configuration: settings)
        defer { session.invalidateAndCancel() }
        try await ClassificationServer.withServer(configuration, classifier: try TestLibrary.service()) { address in
            let before = try Self.peakMegabytes()
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    let (file, label) = files[number % files.count]
                    group.addTask {
                        let (data, response) = try await session.bridge.data(
                            for: Self.request(address, "/classify", body: file)
                        )
                        let answer = try JSONDecoder().decode(Answer.self, from: data)
                        return (response as? HTTPURLResponse)?.statusCode == 200 && answer.caption == "\(label) 100 %"
                    }
                }
                var count = 0
                for try await isRight in group {
                    #expect(isRight)
                    count += 1
                }
                #expect(count == 200)
            }
            // Of the whole process, clients and all.
            #expect(try Self.peakMegabytes() - before < 200)
            let health = try await Self.health(address)
            #expect(health.running == 0 && health.waiting == 0)
            #expect((health.latency.worst ?? 0) >= (health.latency.median ?? 1))
        }
    }

    /// The most memory that this process has had.
    private static func peakMegabytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) >> 10
    }

    @Test
    func `some run, some wait, the next one is refused, and all is told`() async throws {
        var configuration = ClassificationServer.Configuration()
        configuration.running = 2
        configuration.waiting = 3
        let classifier = PlayedClassifier()
        try await ClassificationServer.withServer(configuration, classifier: classifier) { address in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<5 { group.addTask { try await Self.classify(address, [1]).status } }
                try await Self.health(address) { $0.running == 2 && $0.waiting == 3 }
                #expect(classifier.log.events.count == 2)

                let (data, response) = try await URLSession.shared.bridge.data(
                    for: Self.request(address, "/classify", body: [1])
                )
                let refusal = try #require(response as? HTTPURLResponse)
                #expect(refusal.statusCode == 503)
                #expect(refusal.value(forHTTPHeaderField: "Retry-After") == "2")
                #expect(try JSONDecoder().decode(Answer.self, from: data).error?.message.contains("waiting") == true)

                classifier.answer()
                try await classifier.log.events(atLeast: 4)
                classifier.answer()
                try await classifier.log.events(atLeast: 5)
                classifier.answer()
                for try await status in group { #expect(status == 200) }
            }
            #expect(try await Self.health(address).waiting == 0)
        }
    }

    // MARK: Clients that leave, and slow ones

    private static func connect(to address: String) async throws -> any Channel {
        let port = try #require(URL(string: address)?.port)
        return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port).get()
    }

    private static func send(_ text: String, over channel: any Channel) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text))
    }

    private static func upload(to address: String) -> String {
        "POST /classify HTTP/1.1\r\nHost: \(Self.host(address))\r\nContent-Length: 3\r\n\r\n"
    }

    private static func host(_ address: String) -> Substring { address.dropFirst("http://".count) }

    @Test
    func `whose client has left, that picture's run is stopped`() async throws {
        let classifier = PlayedClassifier()
        try await ClassificationServer.withServer(classifier: classifier) { address in
            let channel = try await Self.connect(to: address)
            try await Self.send(Self.upload(to: address) + "abc", over: channel)
            try await classifier.log.events(atLeast: 1)
            try await channel.close()
            try await classifier.log.events(atLeast: 2)
            #expect(classifier.log.events == ["asked", "cancelled"])
            try await Self.health(address) { $0.running == 0 && $0.waiting == 0 }
        }
    }

    @Test(
        .enabled(if: TestLibrary.shared != nil, "\(TestLibrary.advice)")
    )
    func `a real run too: the model of this test would never end`() async throws {
        var configuration = ClassificationServer.Configuration()
        configuration.running = 1
        let classifier = try TestLibrary.service(TestModels.endless())
        try await ClassificationServer.withServer(configuration, classifier: classifier) { address in
            let file = try Drawing(.red).file(.png)
            // As browsers do for a page that aborts a request, and `URLSession` on Linux does not.
            for _ in 0..<20 {
                let channel = try await Self.connect(to: address)
                let head =
                    "POST /classify HTTP/1.1\r\nHost: \(Self.host(address))\r\nContent-Length: \(file.count)\r\n\r\n"
                try await channel.writeAndFlush(ByteBuffer(bytes: Array(head.utf8) + file))
                try await Self.health(address) { $0.running == 1 }
                try await channel.close()
                try await Self.health(address) { $0.running == 0 && $0.waiting == 0 }
            }
        }
    }

    @Test
    func `who waits and leaves is not run`() async throws {
        var configuration = ClassificationServer.Configuration()
        configuration.running = 1
        let classifier = PlayedClassifier()
        try await ClassificationServer.withServer(configuration, classifier: classifier) { address in
            let first = Task { try await Self.classify(address, [1]).status }
            try await classifier.log.events(atLeast: 1)
            let channel = try await Self.connect(to: address)
            try await Self.send(Self.upload(to: address) + "abc", over: channel)
            try await Self.health(address) { $0.waiting == 1 }
            try await channel.close()
            try await Self.health(address) { $0.waiting == 0 }
            classifier.answer()
            #expect(try await first.value == 200)
            #expect(classifier.log.events == ["asked"])
        }
    }

    @Test
    func `an upload that does not go on is refused in time, and keeps nobody out`() async throws {
        let clock = TestClock()
        var configuration = ClassificationServer.Configuration()
        configuration.uploadTimeout = .after(.seconds(30), on: clock)
        configuration.running = 1
        let classifier = PlayedClassifier()
        try await ClassificationServer.withServer(configuration, classifier: classifier) { address in
            let channel = try await Self.connect(to: address)
            let (answers, answer) = AsyncStream.makeStream(of: String.self)
            try await channel.pipeline.addHandler(Listener(answer))
            try await Self.send(Self.upload(to: address) + "a", over: channel)
            try await clock.sleepers(atLeast: 1)

            let other = Task { try await Self.classify(address, [1]).status }
            try await classifier.log.events(atLeast: 1)
            classifier.answer()
            #expect(try await other.value == 200)

            clock.advance(by: .seconds(30))
            let first = try #require(await answers.first { _ in true })
            #expect(first.hasPrefix("HTTP/1.1 408 "))
            // The server has closed it, or does so now.
            try? await channel.close()
            #expect(classifier.log.events == ["asked"])
        }
    }

    /// Hands on what a server says.
    private final class Listener: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        private let answers: AsyncStream<String>.Continuation

        init(_ answers: AsyncStream<String>.Continuation) { self.answers = answers }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.answers.yield(String(buffer: self.unwrapInboundIn(data)))
        }
    }
}
