// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// What a screen shows: an image and its caption. The page and the terminal have the same one.
public actor ContentViewModel {
    private static let noImageCaption = "Select an image to classify"

    private let imageClassifierService: any ImageClassifier
    private let imagePickerService: ImagePickerService
    /// How many images were picked.
    private var number = 0

    /// The image that was picked last.
    public private(set) var image: Image?

    /// What is said about it.
    public private(set) var caption = noImageCaption

    /// What is known about it; nil while it is classified, and if that failed.
    public private(set) var classification: ImageClassifierService.Classification?

    /// Makes a view model.
    ///
    /// - Parameters:
    ///   - imagePickerService: What picks images.
    ///   - imageClassifierService: What says what they show.
    public init(imagePickerService: ImagePickerService, imageClassifierService: any ImageClassifier) {
        self.imagePickerService = imagePickerService
        self.imageClassifierService = imageClassifierService
    }

    /// Whether the picker is shown.
    public var presentImagePicker: Bool { self.imagePickerService.isPicking }

    /// Lets the user pick an image, and classifies it.
    ///
    /// Without one, all stays as it was.
    ///
    /// - Parameter timeout: When to stop waiting for the user.
    /// - Throws: The picker's error, and the classifier's, which the caption has told of already; `CancellationError`.
    public func pickImage(timeout: BridgeTimeout? = nil) async throws {
        guard let image = try await self.imagePickerService.pickImage(timeout: timeout) else { return }
        self.image = image
        try await self.classifyImage(image)
    }

    private func classifyImage(_ image: Image) async throws {
        self.number += 1
        let number = self.number
        self.caption = "Classifying…"
        self.classification = nil
        let result: Result<ImageClassifierService.Classification, any Error>
        do { result = .success(try await self.imageClassifierService.classifyImage(image)) } catch {
            result = .failure(error)
        }
        // Race: another image may have been picked meanwhile, whose caption this is then.
        if number == self.number {
            self.classification = try? result.get()
            self.caption =
                switch result {
                case .success(let classification): classification.description
                case .failure(is CancellationError): "Cancelled"
                case .failure: "Image classification error"
                }
        }
        _ = try result.get()
    }
}
