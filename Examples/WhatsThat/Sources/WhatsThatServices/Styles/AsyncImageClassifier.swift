// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// A classifier whose core is async code, which it must have; the old API, with its callback, is made of that.
public protocol AsyncImageClassifier: ImageClassifier {}

extension AsyncImageClassifier {
    /// Says what an image shows.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - completion: Called once, on any thread, when the work has ended, with its result; with `CancellationError`
    ///     if the request was cancelled before there was one.
    /// - Returns: The request, which can be cancelled: that stops the model.
    @discardableResult
    public func classifyImage(
        _ image: Image,
        completion: @escaping @Sendable (Result<ImageClassifierService.Classification, any Error>) -> Void
    ) -> ClassificationRequest {
        let call = callAsync {
            try await self.classifyImage(image)
        } completion: { result in
            completion(result)
        }
        return ClassificationRequest { call.cancel() }
    }
}
