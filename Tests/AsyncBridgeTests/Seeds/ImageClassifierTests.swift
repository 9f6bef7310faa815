// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("Seed 000: the image classifier", .timeLimit(.minutes(10)))
struct ImageClassifierTests {
    private typealias Classification = ImageClassifierService.Classification

    enum Form: CaseIterable {
        case result
        case handler
    }

    private func classify(
        _ image: Image,
        by form: Form,
        with habit: ImageClassifierService.Habit = .callsBack,
        at place: Place = Place()
    ) async throws -> Classification {
        let service = try ImageClassifierService(habit)
        return switch form {
        case .result: try await service.classifyImage(image, at: place)
        case .handler: try await service.classifyImageByHandler(image, at: place)
        }
    }

    @Test(arguments: Form.allCases)
    func `a classification is returned`(_ form: Form) async throws {
        let classification = try await self.classify(Image(name: "dog"), by: form)
        #expect(classification == Classification(description: "a dog"))
    }

    /// The tutorial's second bug: the model throws, nobody resumes, and the caller hangs.
    @Test(arguments: Form.allCases)
    func `a model that throws does not hang`(_ form: Form) async {
        await #expect(throws: ImageClassifierService.ClassifierError.emptyImage) {
            try await self.classify(.empty, by: form)
        }
    }

    @Test func `answering on success only works for success`() async throws {
        let service = try ImageClassifierService()
        let classification = try await service.classifyImageOnSuccessOnly(Image(name: "dog"))
        #expect(classification == Classification(description: "a dog"))
    }

    /// The tutorial's second bug, on our API: an error that names the place.
    @Test func `answering on success only ends in an error that names the place`() async throws {
        let (service, place) = (try ImageClassifierService(), Place())
        await #expect(throws: BridgeFault(.callbackDropped, made: place.site)) {
            try await service.classifyImageOnSuccessOnly(.empty, at: place)
        }
        #expect(place.reports.map(\.kind) == [.droppedCallback])
    }

    @Test(arguments: Form.allCases)
    func `a classifier that forgets its completion handler does not hang`(_ form: Form) async {
        let place = Place()
        await #expect(throws: BridgeFault(.callbackDropped, made: place.site)) {
            try await self.classify(.empty, by: form, with: .forgetsFailures, at: place)
        }
    }

    /// Where a checked continuation ends the process.
    @Test(arguments: Form.allCases)
    func `a classifier that calls back twice is survived`(_ form: Form) async throws {
        let classification = try await self.classify(Image(name: "dog"), by: form, with: .callsBackTwice)
        #expect(classification == Classification(description: "a dog"))
    }

    /// The fault says where, so that a log line is enough.
    @Test func `the fault names file and line`() async {
        let line: UInt = #line + 1
        let task = Task { try await withCallback(of: Int.self) { _ in } }
        let error = await #expect(throws: BridgeFault.self) { try await task.value }
        #expect(error.map { "\($0)".contains("\(#fileID):\(line)") } == true)
    }
}
