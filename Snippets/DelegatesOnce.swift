// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Await a delegate that answers once".

import AsyncBridge

// snippet.PICKER
@MainActor
final class ImagePickerService: ImagePickerDelegate {
    private let picker = ImagePicker()
    private let reply = ReplySlot<Image?>()

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
// snippet.end

// snippet.SHARED
final class LocationService: ReceiverDelegate {
    private let receiver = Receiver()
    private let reply = ReplySlot<Location>(overlap: .share)

    func currentLocation() async throws -> Location {
        try await self.reply.wait(keepingAlive: self, timeout: .seconds(30)) {
            self.receiver.start(delegate: self)
        } onCancel: {
            self.receiver.stop()
        }
    }

    func receiver(_ receiver: Receiver, didFix location: Location) {
        receiver.stop()
        self.reply.resume(returning: location)
    }

    func receiver(_ receiver: Receiver, didFail error: any Error) {
        receiver.stop()
        self.reply.resume(throwing: error)
    }
}
// snippet.end

// snippet.CALL
let service = LocationService()
async let here = service.currentLocation()
async let alsoHere = service.currentLocation()
show(try await [here, alsoHere])
// snippet.end
show(try await ImagePickerService().pickImage() as Any)

// snippet.hide
// MARK: - Stand-ins

struct Image: Sendable {
    let name: String
}

protocol ImagePickerDelegate: AnyObject {
    @MainActor func imagePicker(_ picker: ImagePicker, didPick image: Image)
    @MainActor func imagePickerDidCancel(_ picker: ImagePicker)
}

/// A picker with a delegate, which it does not keep alive, and a user who picks a cat at once.
@MainActor
final class ImagePicker {
    private weak var delegate: (any ImagePickerDelegate)?

    func present(delegate: any ImagePickerDelegate) {
        self.delegate = delegate
        Task { self.delegate?.imagePicker(self, didPick: Image(name: "cat")) }
    }

    func dismiss() {}
}

struct Location: Sendable {
    let latitude: Double
    let longitude: Double
}

protocol ReceiverDelegate: AnyObject, Sendable {
    func receiver(_ receiver: Receiver, didFix location: Location)
    func receiver(_ receiver: Receiver, didFail error: any Error)
}

struct ReceptionLost: Error {}

/// A receiver that says where it is, again and again; here it is in Vienna, three times.
final class Receiver: Sendable {
    private let vienna = Location(latitude: 48.2, longitude: 16.4)

    func start(delegate: any ReceiverDelegate) {
        Task {
            for _ in 1...3 { delegate.receiver(self, didFix: self.vienna) }
            delegate.receiver(self, didFail: ReceptionLost())
        }
    }

    func stop() {}
}

func show(_ something: Any) { print(something) }
