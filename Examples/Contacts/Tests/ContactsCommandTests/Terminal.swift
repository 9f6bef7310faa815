// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a program takes for a terminal, a screen of nothing but text.
final class Terminal {
    /// The side of the user.
    private let user: FileHandle
    /// The side of the program.
    let program: FileHandle

    init() throws {
        var (user, program) = (Int32(-1), Int32(-1))
        guard openpty(&user, &program, nil, nil, nil) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        self.user = FileHandle(fileDescriptor: user, closeOnDealloc: true)
        self.program = FileHandle(fileDescriptor: program, closeOnDealloc: true)
    }

    /// Everything that was written, when the program has ended.
    ///
    /// The system keeps some thousand bytes for a terminal that nobody reads.
    func text() -> String {
        // Only the program has it still.
        try? self.program.close()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            // At the end Linux has an error, Darwin no bytes.
            let count = read(self.user.fileDescriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
