// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The old API: it says in a callback what an image shows.
///
/// All other forms are made of this one: see the folder Styles.
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
}

/// A request that is under way.
public struct ClassificationRequest: Sendable {
    private let body: @Sendable () -> Void

    /// Makes a request of what cancels it.
    public init(cancel body: @escaping @Sendable () -> Void) { self.body = body }

    /// Stops the work, whose completion is still called; does nothing when it was called already.
    public func cancel() { self.body() }
}
