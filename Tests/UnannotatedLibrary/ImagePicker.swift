// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch

/// What is picked.
public struct Image {
    /// Its name.
    public let name: String
}

/// Told of what the user picks: on the main thread, which is said here and in no declaration.
public protocol ImagePickerDelegate: AnyObject {
    /// The user has picked an image.
    func imagePicker(_ picker: ImagePicker, didPick image: Image)

    /// The user has picked none.
    func imagePickerDidCancel(_ picker: ImagePicker)
}

/// A picker that does not keep its delegate, and a user who picks a cat at once.
public final class ImagePicker {
    private weak var delegate: ImagePickerDelegate?

    /// Makes a picker.
    public init() {}

    /// Calls the delegate on the main thread.
    public func present(delegate: ImagePickerDelegate) {
        self.delegate = delegate
        DispatchQueue.main.async { self.delegate?.imagePicker(self, didPick: Image(name: "cat")) }
    }

    /// Calls back on the main thread.
    public func present(_ completion: @escaping (Image?) -> Void) {
        DispatchQueue.main.async { completion(Image(name: "cat")) }
    }

    /// Closes the picker.
    public func dismiss() {}
}
