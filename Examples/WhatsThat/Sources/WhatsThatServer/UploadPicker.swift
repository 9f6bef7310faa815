// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Hummingbird
import Synchronization
import WhatsThatServices

/// A picker whose user sends the picture with a request; the page's file chooser and drop zone are what is seen of it.
final class UploadPicker: ImagePicker {
    private let request: Request
    private let limit: Int
    private let upload = Mutex<CallHandle?>(nil)

    init(_ request: Request, limit: Int) {
        self.request = request
        self.limit = limit
    }

    func present(delegate: any ImagePickerDelegate) {
        let upload = callAsync {
            try await self.request.body.collect(upTo: self.limit)
        } completion: { result in
            switch result {
            case .success(let body) where body.readableBytes == 0: delegate.imagePickerDidCancel(self)
            case .success(let body):
                delegate.imagePicker(self, didFinishPicking: Image(bytes: Array(body.readableBytesView)))
            case .failure(let error) where error is any HTTPResponseError || error is CancellationError:
                delegate.imagePicker(self, didFailWithError: error)
            // The others are of the connection: the client's doing.
            case .failure: delegate.imagePicker(self, didFailWithError: Refusal.unreadable)
            }
        }
        self.upload.withLock { $0 = upload }
    }

    func dismiss() { self.upload.withLock { $0 }?.cancel() }
}
