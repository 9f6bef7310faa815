// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A class of the main actor is the delegate.
//
// error: conformance of 'Service' to protocol 'ImagePickerDelegate' crosses into main actor-isolated code and can
//   cause data races

import AsyncBridge
import UnannotatedLibrary

@MainActor
final class Service: ImagePickerDelegate {  // <-
    private let reply = ReplySlot<String?>()

    func imagePicker(_ picker: ImagePicker, didPick image: Image) { self.reply.resume(returning: image.name) }
    func imagePickerDidCancel(_ picker: ImagePicker) { self.reply.resume(returning: nil) }
}
