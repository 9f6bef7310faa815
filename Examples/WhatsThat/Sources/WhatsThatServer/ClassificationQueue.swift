// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Synchronization
import WhatsThatServices

/// A classifier for many users: some at once, some more wait, and others are refused.
///
/// A user counts as waiting from the beginning of the upload, so that memory is bounded too.
final class ClassificationQueue: AsyncImageClassifier {
    /// What the health route says.
    struct State: Sendable {
        var running = 0
        var waiting = 0
        /// How long the last ones took, with their waits.
        var latencies: [Duration] = []
    }

    private let classifier: any ImageClassifier
    private let places: CoSemaphore
    private let limit: Int
    private let counts = Mutex(State())

    private static let remembered = 100

    /// What there is to do at this moment.
    var state: State { self.counts.withLock { $0 } }

    init(_ classifier: any ImageClassifier, running: Int, waiting: Int) {
        self.classifier = classifier
        self.places = CoSemaphore(permits: running)
        let (limit, isOverflow) = running.addingReportingOverflow(waiting)
        self.limit = isOverflow ? .max : limit
    }

    /// Runs what a user wants, if there is a place.
    ///
    /// - Throws: ``Refusal/busy``; what the body throws.
    nonisolated(nonsending) func admit<Value>(
        _ body: nonisolated(nonsending) () async throws -> sending Value
    ) async throws -> sending Value {
        let isAdmitted = self.counts.withLock { counts in
            guard counts.running + counts.waiting < self.limit else { return false }
            counts.waiting += 1
            return true
        }
        guard isAdmitted else { throw Refusal.busy }
        let start = ContinuousClock.now
        defer { self.counts.withLock { $0.waiting -= 1 } }
        let value = try await body()
        let latency = ContinuousClock.now - start
        self.counts.withLock { counts in
            counts.latencies = counts.latencies.suffix(Self.remembered - 1) + [latency]
        }
        return value
    }

    /// Classifies an admitted user's image when there is a place.
    nonisolated(nonsending) func classifyImage(
        _ image: Image
    ) async throws -> ImageClassifierService.Classification {
        try await self.places.withPermit {
            self.counts.withLock { counts in
                counts.waiting -= 1
                counts.running += 1
            }
            defer {
                self.counts.withLock { counts in
                    counts.waiting += 1
                    counts.running -= 1
                }
            }
            // It may have been cancelled while it had no place.
            try Task.checkCancellation()
            return try await self.classifier.classifyImage(image)
        }
    }
}
