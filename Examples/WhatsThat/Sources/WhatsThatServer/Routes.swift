// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle
import WhatsThatServices

/// The page, and what it asks for.
struct Routes: Sendable {
    /// What `POST /classify` answers.
    struct Answer: Equatable, Codable, ResponseEncodable {
        var caption: String
        var candidates: [ImageClassifierService.Classification.Candidate]
    }

    /// What `GET /health` answers.
    struct Health: Equatable, Codable, ResponseEncodable {
        /// Seconds; nil before the first picture.
        struct Latency: Equatable, Codable {
            var median: Double?
            var worst: Double?

            // Written out because the synthesised one leaves a nil out.
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(self.median, forKey: .median)
                try container.encode(self.worst, forKey: .worst)
            }
        }

        var status: String
        var running: Int
        var waiting: Int
        var latency: Latency
    }

    /// How many candidates are told.
    private static let candidates = 5

    let queue: ClassificationQueue
    let configuration: ClassificationServer.Configuration

    func add(to router: Router<ServerContext>) {
        let page = self.page
        router.get("/") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/html; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: page))
            )
        }
        router.post("/classify", use: self.classify)
        router.get("/health", use: self.health)
        router.get("/samples/:name", use: self.sample)
    }

    /// The methods of each path.
    private static let methods = ["/": "GET, HEAD", "/classify": "POST", "/health": "GET, HEAD"]

    /// The router calls a path of another method unknown.
    static func wrongMethod(_ error: any Error, _ request: Request) -> Refusal? {
        guard let error = error as? any HTTPResponseError, error.status == .notFound,
            let methods = Self.methods[request.uri.path]
        else { return nil }
        return Refusal(
            status: .methodNotAllowed,
            message: "\(request.uri.path) is asked by \(methods).",
            headers: [.allow: methods]
        )
    }

    /// It knows the limit, so that nobody sends what will be refused.
    private var page: String {
        let samples = SamplePicture.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return String(decoding: PackageResources.page_html, as: UTF8.self)
            .replacing("{{limit}}", with: "\(self.configuration.uploadLimit)")
            .replacing("{{samples}}", with: "[\(samples)]")
            .replacing("{{knowledge}}", with: self.configuration.knowledge.escapedForHTML)
    }

    @Sendable private func sample(_ request: Request, _ context: ServerContext) throws -> Response {
        let name = try context.parameters.require("name")
        guard let sample = SamplePicture.all.first(where: { $0.name == name }) else { throw HTTPError(.notFound) }
        let type = name.hasSuffix(".jpg") ? "image/jpeg" : name.hasSuffix(".png") ? "image/png" : "image/webp"
        return Response(
            status: .ok,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: sample.bytes))
        )
    }

    @Sendable private func classify(_ request: Request, _ context: ServerContext) async throws -> Answer {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > self.configuration.uploadLimit {
            throw Refusal(status: .contentTooLarge, message: "The file is too large.")
        }
        // When the server ends, it stops the model's runs.
        return try await cancelWhenGracefulShutdown {
            try await self.queue.admit { try await self.answer(to: request) }
        }
    }

    private func answer(to request: Request) async throws -> Answer {
        let picker = UploadPicker(request, limit: self.configuration.uploadLimit)
        let viewModel = ContentViewModel(
            imagePickerService: ImagePickerService(picker),
            imageClassifierService: self.queue
        )
        try await viewModel.pickImage(timeout: self.configuration.uploadTimeout)
        guard let classification = await viewModel.classification else { throw Refusal.nothingSent }
        return Answer(
            caption: await viewModel.caption,
            candidates: Array(classification.candidates.prefix(Self.candidates))
        )
    }

    @Sendable private func health(_ request: Request, _ context: ServerContext) async throws -> Health {
        let state = self.queue.state
        let latencies = state.latencies.map { $0 / .seconds(1) }.sorted()
        return Health(
            status: "ok",
            running: state.running,
            waiting: state.waiting,
            latency: .init(
                median: latencies.isEmpty ? nil : latencies[latencies.count / 2],
                worst: latencies.last
            )
        )
    }
}

extension String {
    fileprivate var escapedForHTML: String {
        self.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
