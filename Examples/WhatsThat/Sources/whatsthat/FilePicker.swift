// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import PictureDecoding
import SystemPackage
import WhatsThatServices

/// A picker whose user has named a file on the command line.
struct FilePicker: ImagePicker {
    /// The file cannot be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    let limits: PictureLimits

    func present(delegate: any ImagePickerDelegate) {
        // It blocks its thread.
        DispatchQueue.global().async {
            do {
                delegate.imagePicker(self, didFinishPicking: Image(bytes: try self.read()))
            } catch {
                delegate.imagePicker(self, didFailWithError: error)
            }
        }
    }

    /// What is being read is read to its end, and nobody waits for it.
    func dismiss() {}

    /// Reads to the end, or one byte more than allowed, of which the decoder says so.
    private func read() throws -> [UInt8] {
        do {
            let file = try FileDescriptor.open(FilePath(self.path), .readOnly, options: .closeOnExec)
            return try file.closeAfter {
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while bytes.count <= self.limits.bytes {
                    let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
                    if count == 0 { break }
                    bytes += buffer[..<count]
                }
                return bytes
            }
        } catch let error as Errno {
            throw Failure(description: "It cannot be read: \(error).")
        }
    }
}
