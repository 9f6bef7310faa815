// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Foundation
import Testing
import WhatsThatServices

@Suite("Several classifiers, one after the other", .timeLimit(.minutes(10)))
struct ChainTests {
    /// What a classifier says, and whom it tells that it was asked.
    private struct Fixed: ImageClassifier {
        let name: String
        let answer: Result<ImageClassifierService.Classification, any Error>
        let log: EventLog

        func classifyImage(
            _ image: Image,
            completion: @escaping @Sendable (Result<ImageClassifierService.Classification, any Error>) -> Void
        ) -> ClassificationRequest {
            self.log.record(self.name)
            completion(self.answer)
            return ClassificationRequest {}
        }
    }

    private struct Failure: Error {}

    private let log = EventLog()
    private let image = Image(bytes: [])

    private func classifier(_ name: String, _ nothing: String? = nil) -> Fixed {
        let candidates = [ImageClassifierService.Classification.Candidate(label: name, probability: 1)]
        return Fixed(name: name, answer: .success(.init(candidates: candidates, nothing: nothing)), log: self.log)
    }

    @Test func `the first one that recognises something is the last one that is asked`() async throws {
        let chain = ClassifierChain(
            self.classifier("drawings", "none"),
            then: self.classifier("photographs"),
            self.classifier("paintings")
        )
        let caption = try await chain.classifyImage(self.image).description
        #expect(caption == "photographs 100 %")
        #expect(self.log.events == ["drawings", "photographs"])
    }

    @Test func `nobody recognises anything: the last answer counts`() async throws {
        let chain = ClassifierChain(
            self.classifier("drawings", "none"),
            then: self.classifier("photographs", "nothing")
        )
        let caption = try await chain.classifyImage(self.image).description
        #expect(caption == "nothing")
    }

    @Test func `an error ends it`() async {
        let failing = Fixed(name: "drawings", answer: .failure(Failure()), log: self.log)
        let chain = ClassifierChain(failing, then: self.classifier("photographs"))
        await #expect(throws: Failure.self) { try await chain.classifyImage(self.image) }
        #expect(self.log.events == ["drawings"])
    }

    @Test func `the model of photographs is not there`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        #expect(try ClassifierModel.installed(near: folder) == nil)
    }
}
