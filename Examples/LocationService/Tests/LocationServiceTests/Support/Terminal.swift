// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// A terminal of Linux, both sides of it.
struct Terminal {
    struct Unavailable: Error {}

    private let outside: FileHandle
    /// What the program sees.
    let inside: FileHandle

    init() throws {
        // Glibc's module has none of the functions for this.
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (unlock, number): (CInt, CInt) = (0, 0)
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        guard master >= 0, ioctl(master, setLock, &unlock) == 0, ioctl(master, getNumber, &number) == 0 else {
            throw Unavailable()
        }
        let name = "/dev/pts/\(number)"
        let slave = open(name, O_RDWR | O_NOCTTY)
        guard slave >= 0 else { throw Unavailable() }
        self.outside = FileHandle(fileDescriptor: master, closeOnDealloc: true)
        self.inside = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    }

    /// The terminal keeps it until the program reads.
    func type(_ text: String) throws { try self.outside.write(contentsOf: Data(text.utf8)) }

    /// What is on the screen; to be called when something is there.
    func read() throws -> String { String(decoding: self.outside.availableData, as: UTF8.self) }
}
