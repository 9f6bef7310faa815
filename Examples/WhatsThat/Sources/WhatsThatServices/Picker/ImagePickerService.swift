// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// An image picker for callers that use async/await.
public final class ImagePickerService: ImagePickerDelegate {
    private let picker: any ImagePicker
    private let reply = ReplySlot<Image?>()

    /// Makes a service of a picker.
    public init(_ picker: any ImagePicker) { self.picker = picker }

    /// Whether somebody is picking an image.
    public var isPicking: Bool { self.reply.isWaiting }

    /// Lets the user pick an image.
    ///
    /// ## Cancellation
    /// Takes the picker away, and throws `CancellationError` at once.
    ///
    /// - Parameter timeout: When to give up; then too the picker is taken away.
    /// - Returns: The image; nil if the user does not want any.
    /// - Throws: The picker's error; `CancellationError`; `BridgeFault` of the code `timedOut`, or of `slotBusy` while
    ///   somebody else picks.
    public func pickImage(timeout: BridgeTimeout? = nil) async throws -> Image? {
        try await self.reply.wait(keepingAlive: self, timeout: timeout) {
            self.picker.present(delegate: self)
        } onCancel: {
            self.picker.dismiss()
        }
    }

    /// There is an image.
    public func imagePicker(_ picker: any ImagePicker, didFinishPicking image: Image) {
        self.reply.resume(returning: image)
    }

    /// The user does not want any.
    public func imagePickerDidCancel(_ picker: any ImagePicker) { self.reply.resume(returning: nil) }

    /// The image cannot be had.
    public func imagePicker(_ picker: any ImagePicker, didFailWithError error: any Error) {
        self.reply.resume(throwing: error)
    }
}
