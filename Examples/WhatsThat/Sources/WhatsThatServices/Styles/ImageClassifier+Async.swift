// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension ImageClassifier {
    /// Says what an image shows.
    ///
    /// ## Cancellation
    /// Stops the model, and throws `CancellationError` when it has stopped: a caller that limits how many of them work
    /// at once can count on it.
    ///
    /// - Parameter image: The image.
    /// - Returns: The classification.
    /// - Throws: `PictureError`, ``ClassifierError``, `OnnxError`, `CancellationError`.
    public nonisolated(nonsending) func classifyImage(
        _ image: Image
    ) async throws -> ImageClassifierService.Classification {
        try await withCallback(cancellation: .cooperative) { callback in
            self.classifyImage(image, completion: callback.handler())
        } onCancel: { request in
            request.cancel()
        }
    }
}
