// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The tutorial's service with a slot in the place of its continuation.
@MainActor
final class ImagePickerService {
    /// Counts the callers that have begun to wait.
    let begun = Tally()
    private let reply: ReplySlot<Image?>

    init(overlap: ReplyOverlap = .reject, place: Place = Place()) {
        self.reply = ReplySlot(overlap: overlap, fileID: Place.fileID, line: place.line)
    }

    func pickImage() async -> Image? { (try? await self.pickImageOrThrow()) ?? nil }

    func pickImageOrThrow() async throws -> Image? {
        try await self.reply.wait(keepingAlive: self) { self.begun.add() }
    }
}

extension ImagePickerService: ImagePickerControllerDelegate {
    func imagePickerController(_ picker: ImagePickerController, didFinishPicking image: Image) {
        self.reply.resume(returning: image)
    }

    func imagePickerControllerDidCancel(_ picker: ImagePickerController) { self.reply.resume(returning: nil) }
}

/// The tutorial's service with a callback in the place of its continuation, line by line.
@MainActor
final class CallbackImagePickerService {
    /// Where the service keeps its callback.
    enum Storing {
        /// The tutorial's last version: always assigned, and `nil` after its answer.
        case always
        /// The tutorial's first version: only the first one is kept, forever.
        case onlyTheFirst
    }

    let begun = Tally()
    let place: Place
    private let storing: Storing
    private var callback: Callback<Image?, any Error>?
    /// What the answers came to.
    private(set) var accepted: [Bool] = []

    init(storing: Storing = .always, place: Place = Place()) {
        self.storing = storing
        self.place = place
    }

    func pickImage() async throws -> Image? {
        try await withCallback(fileID: Place.fileID, line: self.place.line) { callback in
            if self.storing == .always || self.callback == nil { self.callback = callback }
            self.begun.add()
        }
    }

    private func answer(_ image: Image?) {
        guard let callback = self.callback else { return }
        self.accepted.append(callback.resume(returning: image))
        if self.storing == .always { self.callback = nil }
    }
}

extension CallbackImagePickerService: ImagePickerControllerDelegate {
    func imagePickerController(_ picker: ImagePickerController, didFinishPicking image: Image) { self.answer(image) }

    func imagePickerControllerDidCancel(_ picker: ImagePickerController) { self.answer(nil) }
}
