// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Asks several classifiers, one after the other, until one recognises something.
public struct ClassifierChain: AsyncImageClassifier {
    private let classifiers: [any ImageClassifier]

    /// Makes a classifier of others.
    ///
    /// - Parameters:
    ///   - first: The one that is asked first.
    ///   - others: Those that are asked next, in this order. If nobody recognises anything, the last answer counts.
    public init(_ first: any ImageClassifier, then others: any ImageClassifier...) {
        self.classifiers = [first] + others
    }

    /// Says what an image shows.
    ///
    /// ## Cancellation
    /// Stops the model that is asked, and asks no other one.
    ///
    /// - Parameter image: The image.
    /// - Returns: The classification of the last model that was asked.
    /// - Throws: The first error; `CancellationError`.
    public nonisolated(nonsending) func classifyImage(
        _ image: Image
    ) async throws -> ImageClassifierService.Classification {
        var answer = ImageClassifierService.Classification(candidates: [])
        for classifier in self.classifiers {
            answer = try await classifier.classifyImage(image)
            if answer.nothing == nil { break }
        }
        return answer
    }
}
