// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// Answers every request at once, with a thread for each connection.
enum Server {
    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)

    /// - Returns: A URL of it.
    static func start() -> URL {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) + listen(listener, 512) + getsockname(listener, $0, &size)
            }
        }
        guard result == 0 else { fatalError("no server: \(errno)") }
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                Thread.detachNewThread { Self.serve(connection) }
            }
        }
        return URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")!
    }

    private static func serve(_ connection: Int32) {
        var yes: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        var buffer = [UInt8](repeating: 0, count: 4096)
        while recv(connection, &buffer, buffer.count, 0) > 0 {
            guard send(connection, Self.answer, Self.answer.count, Int32(MSG_NOSIGNAL)) > 0 else { break }
        }
        close(connection)
    }
}
