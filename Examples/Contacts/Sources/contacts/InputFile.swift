// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ContactsModel
import SystemPackage
import VCard

/// A file to import.
struct InputFile: Sendable {
    /// The path; `-` is standard input.
    var path: String

    /// The name for messages.
    var name: String { self.path == "-" ? "standard input" : self.path }

    /// Reads the file's contacts.
    func contacts() async throws -> [Contact] {
        do {
            return try await offPool { try Contact.read(self.bytes()) }
        } catch let error where !(error is CancellationError) {
            throw Failure(subject: self.name, error)
        }
    }

    private func bytes() throws -> [UInt8] {
        // One byte more than the reader takes, which then says so.
        let limit = VCard.Limits().fileBytes
        if self.path == "-" { return try Self.readAll(.standardInput, limit: limit) }
        let descriptor = try FileDescriptor.open(FilePath(self.path), .readOnly, options: .closeOnExec)
        return try descriptor.closeAfter { try Self.readAll(descriptor, limit: limit) }
    }

    /// Reads to the end, or one byte more than the limit.
    private static func readAll(_ descriptor: FileDescriptor, limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
