// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

extension Process {
    /// Lets the process have only so many descriptors, before it starts.
    ///
    /// - Parameter count: The limit, which a shell sets before it becomes the program.
    public func limitDescriptors(to count: Int) {
        let program = self.executableURL?.path(percentEncoded: false) ?? ""
        self.executableURL = URL(filePath: "/bin/sh")
        self.arguments = ["-c", "ulimit -n \(count); exec \"$0\" \"$@\"", program] + (self.arguments ?? [])
    }

    #if os(Linux)
    /// How many descriptors the process has open.
    ///
    /// - Returns: The number.
    /// - Throws: An error of the file system, if the process has ended.
    public func countOpenDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(self.processIdentifier)/fd").count
    }
    #endif
}
