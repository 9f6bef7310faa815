// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The old API, which says in a callback what an image shows, and its async form.
///
/// All other forms are made of these: see the folder Styles. The async form has a default, made of the callback, for
/// classifiers that have been there before async code was.
public protocol ImageClassifier: Sendable {
    /// Says what an image shows.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - completion: Called once, on any thread, when the work has ended; with `CancellationError` if the request
    ///     was cancelled before there was a classification.
    /// - Returns: The request, which can be cancelled.
    @discardableResult
    func classifyImage(
        _ image: Image,
        completion: @escaping @Sendable (Result<ImageClassifierService.Classification, any Error>) -> Void
    ) -> ClassificationRequest

    /// Says what an image shows.
    ///
    /// ## Cancellation
    /// Stops the model, and throws `CancellationError` when it has stopped: a caller that limits how many of them work
    /// at once can count on it.
    ///
    /// - Parameter image: The image.
    /// - Returns: The classification.
    /// - Throws: `PictureError`, ``ClassifierError``, `OnnxError`, `CancellationError`.
    nonisolated(nonsending) func classifyImage(
        _ image: Image
    ) async throws -> ImageClassifierService.Classification
}

/// A request that is under way.
public struct ClassificationRequest: Sendable {
    private let body: @Sendable () -> Void

    /// Makes a request of what cancels it.
    public init(cancel body: @escaping @Sendable () -> Void) { self.body = body }

    /// Stops the work, whose completion is still called; does nothing when it was called already.
    public func cancel() { self.body() }
}
