// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

struct ServerRequest {
    let method: String
    /// The first part of the path.
    let route: String
    /// The number after it.
    let argument: Int
    let body: Data
}

/// One connection of the server, used by one thread.
final class ServerConnection: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func close() { Descriptor.close(self.descriptor) }

    // MARK: Reading

    /// - Returns: `nil` at the end of the connection.
    func readRequest() -> ServerRequest? {
        var bytes = Data()
        var end = bytes.endIndex..<bytes.endIndex
        repeat {
            guard self.read(into: &bytes) else { return nil }
            end = bytes.range(of: Data("\r\n\r\n".utf8)) ?? bytes.endIndex..<bytes.endIndex
        } while end.isEmpty
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let length =
            lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) } ?? 0
        if lines.contains(where: { $0.lowercased().hasPrefix("expect: 100") }) {
            _ = self.send("HTTP/1.1 100 Continue\r\n\r\n")
        }
        while bytes.distance(from: end.upperBound, to: bytes.endIndex) < length {
            guard self.read(into: &bytes) else { return nil }
        }
        let words = lines[0].split(separator: " ")
        guard words.count > 1 else { return nil }
        let path = words[1].split(separator: "/")
        return ServerRequest(
            method: String(words[0]),
            route: path.first.map(String.init) ?? "",
            argument: path.dropFirst().first.flatMap { Int($0) } ?? 0,
            body: bytes[end.upperBound...].prefix(length)
        )
    }

    private func read(into bytes: inout Data) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(self.descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        bytes.append(contentsOf: buffer[..<count])
        return true
    }

    func waitForHangUp() {
        var rest = Data()
        while self.read(into: &rest) { rest = Data() }
    }

    // MARK: Writing

    func send(head status: String, length: Int, _ field: String = "X: y") -> Bool {
        self.send("HTTP/1.1 \(status)\r\nContent-Length: \(length)\r\n\(field)\r\n\r\n")
    }

    func send(_ text: String) -> Bool { self.send(Data(text.utf8)) }

    /// - Returns: Whether the client was still there.
    func send(_ data: Data) -> Bool {
        let bytes = [UInt8](data)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Descriptor.send(self.descriptor, $0) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
