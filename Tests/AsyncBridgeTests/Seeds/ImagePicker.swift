// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A stand-in for UIKit's image.
struct Image: Equatable, Sendable {
    var name: String

    /// What the tutorial's picker gives for a cancelled picking at first.
    static let empty = Image(name: "")
}

/// A stand-in for UIKit's delegate protocol.
@MainActor
protocol ImagePickerControllerDelegate: AnyObject {
    func imagePickerController(_ picker: ImagePickerController, didFinishPicking image: Image)

    func imagePickerControllerDidCancel(_ picker: ImagePickerController)
}

/// A stand-in for UIKit's picker: holds its delegate weakly and calls it on the main actor.
@MainActor
final class ImagePickerController {
    weak var delegate: (any ImagePickerControllerDelegate)?

    init(delegate: any ImagePickerControllerDelegate) { self.delegate = delegate }

    /// The user taps an image.
    func pick(_ image: Image) { self.delegate?.imagePickerController(self, didFinishPicking: image) }

    /// The user taps Cancel.
    func cancel() { self.delegate?.imagePickerControllerDidCancel(self) }
}
