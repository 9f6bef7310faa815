// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The process's standard error, without Foundation and without the C library's unsafe global.
package enum StandardError {
    /// Writes one line in one piece, so that lines of several threads do not mix.
    package static func writeLine(_ line: String) {
        var text = line + "\n"
        // Safe: `rest` stays within the bytes, which live as long as the closure runs.
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let base = rest.baseAddress, unsafe !rest.isEmpty {
                let written = unsafe write(2, base, rest.count)
                // Standard error is closed: there is nowhere to report it.
                guard written > 0 || errno == EINTR else { return }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(written, 0)))
            }
        }
    }
}
