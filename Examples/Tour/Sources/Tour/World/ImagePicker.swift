// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// A picture.
struct Image: Sendable, Equatable {
    let name: String
}

/// What an image picker tells its delegate.
@MainActor
protocol ImagePickerDelegate: AnyObject {
    func imagePicker(_ picker: ImagePicker, didPick image: Image)
    func imagePickerDidCancel(_ picker: ImagePicker)
}

/// Stands for a picker with a delegate, which it does not keep alive; `tap` and `swipeAway` are the user.
@MainActor
final class ImagePicker {
    weak var delegate: (any ImagePickerDelegate)?
    private(set) var isPresented = false
    private(set) var presentations = 0

    func present(delegate: any ImagePickerDelegate) {
        self.delegate = delegate
        self.isPresented = true
        self.presentations += 1
    }

    func dismiss() { self.isPresented = false }

    func tap(_ image: Image) {
        self.isPresented = false
        self.delegate?.imagePicker(self, didPick: image)
    }

    func swipeAway() {
        self.isPresented = false
        self.delegate?.imagePickerDidCancel(self)
    }
}

/// The picker for callers that use async/await.
@MainActor
final class ImagePickerService: ImagePickerDelegate {
    let picker: ImagePicker
    private let reply: ReplySlot<Image?>

    init(picker: ImagePicker, overlap: ReplyOverlap) {
        self.picker = picker
        self.reply = ReplySlot(overlap: overlap)
    }

    /// Lets the user pick an image; `nil` if the user does not want to.
    func pickImage() async throws -> Image? {
        try await self.reply.wait(keepingAlive: self) {
            self.picker.present(delegate: self)
        } onCancel: {
            self.picker.dismiss()
        }
    }

    func imagePicker(_ picker: ImagePicker, didPick image: Image) { self.reply.resume(returning: image) }

    func imagePickerDidCancel(_ picker: ImagePicker) { self.reply.resume(returning: nil) }
}
