// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SystemPackage

/// Nobody reads the output any more: no failure, there is only nothing left to do.
public struct ClosedOutput: Error {}

/// The output cannot be written.
public struct OutputFailure: Error, CustomStringConvertible {
    /// What went wrong, and what to do about it.
    public let description: String
}

/// Where a command writes its answers.
public enum StandardOutput {
    /// Writes a line at once, so that it can be read through a pipe.
    ///
    /// - Throws: ``ClosedOutput`` if nobody reads it; ``OutputFailure``.
    public static func write(line: String) throws { try self.write(Array("\(line)\n".utf8)) }

    /// Writes bytes as they are.
    ///
    /// - Throws: As ``write(line:)`` does.
    public static func write(_ bytes: [UInt8]) throws {
        do {
            try FileDescriptor.standardOutput.writeAll(bytes)
        } catch let error as Errno {
            if error == .brokenPipe { throw ClosedOutput() }
            throw OutputFailure(description: "The output cannot be written: \(error). Write it to another place.")
        }
    }
}

/// Where a command complains.
///
/// If that cannot be written, nobody can be told.
public enum StandardError {
    /// Writes a line, without what could steer a terminal.
    public static func write(line: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array("\(Printable.text(line))\n".utf8))
    }
}
