// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// A listening socket, and what the tests need of the calls of the system.
struct Descriptor: Sendable {
    let number: Int32

    /// Listens on a free port of this machine.
    static func listening() throws -> Descriptor {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let number = socket(AF_INET, kind, 0)
        guard number >= 0 else { throw TestServer.Failure(call: "socket") }
        // Small, so that it shows soon that a client does not read.
        var size: Int32 = 64 * 1024
        setsockopt(number, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, listen(number, 512) == 0 else { throw TestServer.Failure(call: "listen") }
        return Descriptor(number: number)
    }

    func port() throws -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(self.number, $0, &size) }
        }
        guard result == 0 else { throw TestServer.Failure(call: "getsockname") }
        return UInt16(bigEndian: address.sin_port)
    }

    func accept() -> Int32? {
        #if canImport(Darwin)
        let connection = Darwin.accept(self.number, nil, nil)
        #else
        let connection = Glibc.accept(self.number, nil, nil)
        #endif
        guard connection >= 0 else { return nil }
        var yes: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        #if canImport(Darwin)
        // As `MSG_NOSIGNAL`, which each `send` needs elsewhere.
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        #endif
        return connection
    }

    func close() { Self.close(self.number) }

    func shutDown() { Self.shutDown(self.number) }

    static func shutDown(_ number: Int32) { _ = shutdown(number, Int32(SHUT_RDWR)) }

    static func close(_ number: Int32) {
        #if canImport(Darwin)
        _ = Darwin.close(number)
        #else
        _ = Glibc.close(number)
        #endif
    }

    static func send(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.send(number, bytes.baseAddress, bytes.count, 0)
        #else
        Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }
}
