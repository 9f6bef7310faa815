// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import OpenCombineShim
import Synchronization
import Testing
import WhatsThatServices

/// The old API, as a law suite plays it: its answers are numbers, which are the labels here: a probability cannot hold
/// each `Int`.
private struct PlayedClassifier: ImageClassifier {
    let source: OneShotSource

    func classifyImage(
        _ image: Image,
        completion: @escaping @Sendable (Result<ImageClassifierService.Classification, any Error>) -> Void
    ) -> ClassificationRequest {
        let hasEnded = Flag()
        let handle = self.source.start { result in
            hasEnded.set()
            completion(result.map { .init(candidates: [.init(label: "\($0)", probability: 1)]) })
        }
        // As a request must: a future that fails with the source's own `CancellationError` cancels it.
        return ClassificationRequest { if !hasEnded.isSet { handle.cancel() } }
    }
}

/// Recognises nothing.
private struct NothingRecognised: ImageClassifier {
    func classifyImage(
        _ image: Image,
        completion: @escaping @Sendable (Result<ImageClassifierService.Classification, any Error>) -> Void
    ) -> ClassificationRequest {
        completion(.success(.init(candidates: [], nothing: "nothing")))
        return ClassificationRequest {}
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    func set() { self.value.store(true, ordering: .releasing) }

    var isSet: Bool { self.value.load(ordering: .acquiring) }
}

extension ImageClassifierService.Classification {
    fileprivate var number: Int { self.candidates.first.flatMap { Int($0.label) } ?? -1 }
}

/// All forms are made of the one with a callback.
@Suite("The forms keep the laws", .timeLimit(.minutes(10)), .serialized)
struct FormTests {
    private static let image = Image(bytes: [])

    @Test func async() async {
        let violations = await OneShotLaws.check("classifyImage", promises: .cooperative) { source in
            try await PlayedClassifier(source: source).classifyImage(Self.image).number
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func `a chain, of which the last one answers`() async {
        let violations = await OneShotLaws.check("ClassifierChain", promises: .cooperative) { source in
            try await ClassifierChain(NothingRecognised(), then: PlayedClassifier(source: source))
                .classifyImage(Self.image).number
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func coroutine() async {
        let violations = await OneShotLaws.check("awaitClassification", promises: .cooperative) { source in
            try await withCoroutine {
                try PlayedClassifier(source: source).awaitClassification(of: Self.image).number
            }
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func future() async {
        // The future is over at once. It is started although the task is cancelled: a future has no task.
        let promises = OneShotPromises.standard.with { $0.startsWhenCancelled = true }
        let violations = await OneShotLaws.check("classificationFuture", promises: promises) { source in
            try await PlayedClassifier(source: source).classificationFuture(of: Self.image)
                .value(cancellation: .propagate).number
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func publisher() async {
        // The subscription's task starts the work, and stops it, a moment after the caller is told of its cancellation:
        // too late for the scenarios that count what was stopped. `CancellationTests.otherForms` shows that it is.
        let promises = OneShotPromises.standard.with { $0.startsOnCaller = false }
        let names = OneShotLaws.scenarioNames(for: promises).filter { !$0.contains("cancel") }
        #expect(names.count > 10)
        let violations = await OneShotLaws.check(
            "classificationPublisher",
            promises: promises,
            only: Set(names)
        ) { source in
            try await PlayedClassifier(source: source).classificationPublisher(of: Self.image).singleValue().number
        }
        #expect(violations.isEmpty, "\(violations)")
    }
}
