// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Synchronization
import SystemPackage

/// Says on a terminal how many files are done; elsewhere nothing.
final class Progress: Sendable {
    private let count: Int
    private let done = Mutex(0)
    private let isShown: Bool

    init(count: Int) {
        self.count = count
        self.isShown = count > 1 && isatty(STDERR_FILENO) == 1
        self.show(0)
    }

    /// One more is done.
    func advance() {
        self.show(
            self.done.withLock { done in
                done += 1
                return done
            }
        )
    }

    /// Clears its line, for another one.
    func clear() { self.write("\r\u{1b}[K") }

    private func show(_ done: Int) { if done < self.count { self.write("Classifying… \(done) of \(self.count)") } }

    private func write(_ text: String) {
        guard self.isShown else { return }
        // If that cannot be written, nobody sees it.
        _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
    }
}
