// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CommandSupport
import Foundation
import SystemPackage

/// A line on the terminal that says what a command is doing, and is taken away; elsewhere nothing.
///
/// Whoever shows it clears it before anything else is written.
enum ProgressLine {
    static let isShown = isatty(STDERR_FILENO) == 1

    static func show(_ text: String) { self.write("\r\u{1b}[K\(Printable.text(text))") }

    static func clear() { self.write("\r\u{1b}[K") }

    private static func write(_ text: String) {
        guard self.isShown else { return }
        // If that cannot be written, nobody sees it.
        _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
    }
}
