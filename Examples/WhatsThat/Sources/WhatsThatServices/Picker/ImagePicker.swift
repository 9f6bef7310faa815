// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Lets somebody pick an image, and tells a delegate which: the page's file chooser, or a path on the command line.
public protocol ImagePicker: Sendable {
    /// Shows the picker. The delegate is told once, at any time, on any thread.
    func present(delegate: any ImagePickerDelegate)

    /// Takes the picker away.
    func dismiss()
}

/// What an image picker tells its delegate.
public protocol ImagePickerDelegate: AnyObject, Sendable {
    /// There is an image.
    func imagePicker(_ picker: any ImagePicker, didFinishPicking image: Image)

    /// The user does not want any.
    func imagePickerDidCancel(_ picker: any ImagePicker)

    /// The image that was picked cannot be had.
    func imagePicker(_ picker: any ImagePicker, didFailWithError error: any Error)
}
