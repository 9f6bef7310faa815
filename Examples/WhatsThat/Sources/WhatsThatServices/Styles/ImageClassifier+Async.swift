// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension ImageClassifier {
    /// Says what an image shows: the default, made of the form with a callback.
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
