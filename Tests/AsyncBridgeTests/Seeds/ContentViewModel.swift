// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The tutorial's view model, without the property wrappers of a user interface.
@MainActor
final class ContentViewModel {
    private static let noImageCaption = "Select an image to classify"

    private let makeClassifier: () throws -> ImageClassifierService
    private lazy var imageClassifierService = try? self.makeClassifier()
    lazy var imagePickerService = ImagePickerService()

    var presentImagePicker = false {
        didSet { self.onPresentation?(self.presentImagePicker) }
    }
    private(set) var image: Image?
    private(set) var caption = noImageCaption {
        didSet { self.captions.append(self.caption) }
    }

    /// What a view would observe.
    var onPresentation: ((Bool) -> Void)?
    private(set) var captions: [String] = []

    /// The task of the last picking, so that a test can wait for its end.
    private(set) var picking: Task<Void, Never>?

    init(makeClassifier: @escaping () throws -> ImageClassifierService = { try ImageClassifierService() }) {
        self.makeClassifier = makeClassifier
    }

    func pickImage() {
        self.presentImagePicker = true
        self.picking = Task(priority: .userInitiated) {
            let image = await self.imagePickerService.pickImage()
            self.presentImagePicker = false
            if let image {
                self.image = image
                await self.classifyImage(image)
            }
        }
    }

    private func classifyImage(_ image: Image) async {
        self.caption = "Classifying..."
        guard let imageClassifierService = self.imageClassifierService else {
            self.caption = "Error initializing Neural Model"
            return
        }
        do {
            self.caption = try await imageClassifierService.classifyImage(image).description
        } catch {
            self.caption = "Image classification error"
        }
    }
}

/// A stand-in for the tutorial's view: presents a picker while the model says so.
@MainActor
final class ContentView {
    let contentViewModel: ContentViewModel
    private(set) var picker: ImagePickerController?

    init(_ contentViewModel: ContentViewModel) {
        self.contentViewModel = contentViewModel
        contentViewModel.onPresentation = { [unowned self] isPresented in
            self.picker =
                isPresented ? ImagePickerController(delegate: self.contentViewModel.imagePickerService) : nil
        }
    }

    /// The user's next tap, when the model waits for it.
    func tap(_ tap: (ImagePickerController) -> Void) async {
        self.contentViewModel.pickImage()
        self.pickings += 1
        await self.contentViewModel.imagePickerService.begun.reaches(self.pickings)
        if let picker = self.picker { tap(picker) }
        await self.contentViewModel.picking?.value
    }

    private var pickings = 0
}
