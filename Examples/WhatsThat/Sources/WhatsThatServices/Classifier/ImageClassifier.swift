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
    ///   - completion: Called once, on any thread; with `CancellationError` if the request was cancelled before there was
    ///     a classification. The work has ended then.
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

    /// Stops the work.
    ///
    /// Its completion is still called.
    public func cancel() { self.body() }
}
