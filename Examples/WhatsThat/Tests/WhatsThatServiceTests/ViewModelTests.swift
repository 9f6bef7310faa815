// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization
import Testing
import WhatsThatServices

/// A picker whose user the test is.
private final class PlayedPicker: ImagePicker {
    private let delegate = Mutex<(any ImagePickerDelegate)?>(nil)
    private let counts = Mutex((presentations: 0, dismissals: 0))

    var presentations: Int { self.counts.withLock { $0.presentations } }
    var dismissals: Int { self.counts.withLock { $0.dismissals } }

    func present(delegate: any ImagePickerDelegate) {
        self.delegate.withLock { $0 = delegate }
        self.counts.withLock { $0.presentations += 1 }
    }

    func dismiss() { self.counts.withLock { $0.dismissals += 1 } }

    /// Waits until it is shown for the nth time.
    func shown(_ number: Int) async {
        while self.presentations < number, !Task.isCancelled { await Task.yield() }
    }

    private var current: (any ImagePickerDelegate)? { self.delegate.withLock { $0 } }

    func tap(_ image: Image) { self.current?.imagePicker(self, didFinishPicking: image) }
    func swipeAway() { self.current?.imagePickerDidCancel(self) }
    func fail(_ error: any Error) { self.current?.imagePicker(self, didFailWithError: error) }
}

/// A classifier that answers when the test says so: an image's byte is its name.
private final class PlayedClassifier: ImageClassifier {
    typealias Completion = @Sendable (Result<ImageClassifierService.Classification, any Error>) -> Void

    struct Failure: Error {}

    private let completions = Mutex<[UInt8: Completion]>([:])

    func classifyImage(_ image: Image, completion: @escaping Completion) -> ClassificationRequest {
        let name = image.bytes.first ?? 0
        self.completions.withLock { $0[name] = completion }
        return ClassificationRequest { self.end(name, with: .failure(CancellationError())) }
    }

    /// Waits until it was asked for an image.
    func asked(for name: UInt8) async {
        while self.completions.withLock({ $0[name] == nil }), !Task.isCancelled { await Task.yield() }
    }

    func answer(_ name: UInt8) {
        self.end(name, with: .success(.init(candidates: [.init(label: "image \(name)", probability: 0.5)])))
    }

    func end(_ name: UInt8, with result: Result<ImageClassifierService.Classification, any Error>) {
        self.completions.withLock { $0.removeValue(forKey: name) }?(result)
    }
}

@Suite("The picker and the view model", .timeLimit(.minutes(10)))
struct ViewModelTests {
    private let picker = PlayedPicker()
    private let classifier = PlayedClassifier()
    private let service: ImagePickerService
    private let viewModel: ContentViewModel

    init() {
        self.service = ImagePickerService(self.picker)
        self.viewModel = ContentViewModel(imagePickerService: self.service, imageClassifierService: self.classifier)
    }

    private func image(_ name: UInt8) -> Image { Image(bytes: [name]) }

    /// Picks an image and lets it be classified.
    private func pick(_ name: UInt8, presentation: Int) async throws {
        async let end: Void = self.viewModel.pickImage()
        await self.picker.shown(presentation)
        self.picker.tap(self.image(name))
        await self.classifier.asked(for: name)
        self.classifier.answer(name)
        try await end
    }

    @Test
    func `the picker picks again and again`() async throws {
        for number in 1...100 {
            async let picked = self.service.pickImage()
            await self.picker.shown(number)
            self.picker.tap(self.image(UInt8(number)))
            #expect(try await picked == self.image(UInt8(number)))
        }
    }

    @Test
    func `the user may not want any; that is no error`() async throws {
        for number in 1...3 {
            async let picked = self.service.pickImage()
            await self.picker.shown(number)
            self.picker.swipeAway()
            #expect(try await picked == nil)
        }
    }

    @Test
    func `a second caller gets an error, and the first one the image`() async throws {
        async let picked = self.service.pickImage()
        await self.picker.shown(1)
        await #expect { try await self.service.pickImage() } throws: { ($0 as? BridgeFault)?.code == .slotBusy }
        self.picker.tap(self.image(1))
        #expect(try await picked == self.image(1))
        #expect(self.picker.presentations == 1)
    }

    @Test
    func `a delegate that is called too often does no harm`() async throws {
        async let picked = self.service.pickImage()
        await self.picker.shown(1)
        self.picker.tap(self.image(1))
        self.picker.tap(self.image(2))
        self.picker.swipeAway()
        #expect(try await picked == self.image(1))
        async let next = self.service.pickImage()
        await self.picker.shown(2)
        self.picker.tap(self.image(3))
        #expect(try await next == self.image(3))
    }

    @Test
    func `cancelling takes the picker away, once, and the next caller may pick`() async throws {
        let task = Task { try await self.service.pickImage() }
        await self.picker.shown(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(self.picker.dismissals == 1)
        async let picked = self.service.pickImage()
        await self.picker.shown(2)
        self.picker.tap(self.image(1))
        #expect(try await picked == self.image(1))
    }

    @Test
    func `the picker's error arrives as it is`() async throws {
        struct Broken: Error {}
        let task = Task { try await self.service.pickImage() }
        await self.picker.shown(1)
        self.picker.fail(Broken())
        await #expect(throws: Broken.self) { try await task.value }
    }

    // MARK: The view model

    @Test
    func `shows the seed's captions`() async throws {
        #expect(await self.viewModel.caption == "Select an image to classify")
        #expect(await !self.viewModel.presentImagePicker)
        let task = Task { try await self.viewModel.pickImage() }
        await self.picker.shown(1)
        #expect(await self.viewModel.presentImagePicker)
        self.picker.tap(self.image(7))
        await self.classifier.asked(for: 7)
        #expect(await self.viewModel.caption == "Classifying…")
        #expect(await self.viewModel.image == self.image(7))
        #expect(await !self.viewModel.presentImagePicker)
        self.classifier.answer(7)
        try await task.value
        #expect(await self.viewModel.caption == "image 7 50 %")
    }

    @Test
    func `without a new picture, the old one stays, with its caption`() async throws {
        try await self.pick(1, presentation: 1)
        async let end: Void = self.viewModel.pickImage()
        await self.picker.shown(2)
        self.picker.swipeAway()
        try await end
        #expect(await self.viewModel.image == self.image(1))
        #expect(await self.viewModel.caption == "image 1 50 %")
    }

    @Test
    func `an error is in the caption, and the next picture is none the worse for it`() async throws {
        let task = Task { try await self.viewModel.pickImage() }
        await self.picker.shown(1)
        self.picker.tap(self.image(1))
        await self.classifier.asked(for: 1)
        self.classifier.end(1, with: .failure(PlayedClassifier.Failure()))
        await #expect(throws: PlayedClassifier.Failure.self) { try await task.value }
        #expect(await self.viewModel.caption == "Image classification error")
        try await self.pick(2, presentation: 2)
        #expect(await self.viewModel.caption == "image 2 50 %")
    }

    @Test
    func `cancelled while it classifies, it says so`() async throws {
        let task = Task { try await self.viewModel.pickImage() }
        await self.picker.shown(1)
        self.picker.tap(self.image(1))
        await self.classifier.asked(for: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await self.viewModel.caption == "Cancelled")
    }

    @Test
    func `the answer for an earlier picture comes late, and changes nothing`() async throws {
        let first = Task { try await self.viewModel.pickImage() }
        await self.picker.shown(1)
        self.picker.tap(self.image(1))
        await self.classifier.asked(for: 1)
        try await self.pick(2, presentation: 2)
        self.classifier.answer(1)
        try await first.value
        #expect(await self.viewModel.image == self.image(2))
        #expect(await self.viewModel.caption == "image 2 50 %")
    }
}
