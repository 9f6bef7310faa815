// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// Standard error, read line by line in the process that writes it.
package final class StandardErrorPipe {
    private let reading: CInt

    package init() {
        // Whatever goes wrong, the process ends by itself.
        alarm(60)
        var ends: [CInt] = [-1, -1]
        precondition(pipe(&ends) == 0)
        precondition(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO)
        close(ends[1])
        self.reading = ends[0]
    }

    /// The next line, as soon as it is there.
    package func next() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(self.reading, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Ends the process unless the next lines begin so.
    package func expect(_ beginnings: [String]) {
        for beginning in beginnings {
            let line = self.next()
            guard !line.hasPrefix(beginning) else { continue }
            print("expected '\(beginning)…', read '\(line)'")
            exit(EXIT_FAILURE)
        }
    }
}
