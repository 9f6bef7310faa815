// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeCombine
public import OpenCombineShim

extension ImageClassifier {
    /// Says what an image shows, to each subscriber anew.
    ///
    /// - Parameter image: The image.
    /// - Returns: The publisher, which has started nothing yet. Cancelling a subscription stops the model.
    public func classificationPublisher(
        of image: Image
    ) -> AnyPublisher<ImageClassifierService.Classification, any Error> {
        TaskPublisher { try await self.classifyImage(image) }.eraseToAnyPublisher()
    }
}
