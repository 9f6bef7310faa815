// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeFutures
import Coroutines

extension ImageClassifier {
    /// Says what an image shows, in a coroutine: synchronous code that blocks no thread.
    ///
    /// - Parameter image: The image.
    /// - Returns: The classification.
    /// - Throws: What ``classifyImage(_:)`` throws; `CoroutineError.outsideCoroutine`.
    @available(*, noasync, message: "Write `try await classifyImage(image)` in async code")
    public func awaitClassification(of image: Image) throws -> ImageClassifierService.Classification {
        try Coroutine.await { try await self.classifyImage(image) }
    }

    /// Says what an image shows, as a future for any style.
    ///
    /// - Parameter image: The image.
    /// - Returns: The future; cancelling it stops the model.
    public func classificationFuture(of image: Image) -> CoFuture<ImageClassifierService.Classification> {
        let promise = CoPromise<ImageClassifierService.Classification>()
        let request = self.classifyImage(image, completion: promise.handler { try $0.get() })
        promise.whenCancelled { request.cancel() }
        return promise.future
    }
}
