// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Says how many contacts of a file are saved.
final class SavingProgress: Sendable {
    /// So many contacts take a part of a second.
    private static let step = 1_000

    private struct State {
        var file = ""
        var total = 0
        var done = 0
    }

    private let state = Mutex(State())

    /// The saving of a file begins.
    func begin(_ file: String, total: Int) {
        self.state.withLock { $0 = State(file: file, total: total) }
        ProgressLine.show("\(file): saving \(total) contacts …")
    }

    /// One more contact is about to be saved.
    func advance() {
        let line = self.state.withLock { state -> String? in
            state.done += 1
            guard state.done.isMultiple(of: Self.step), state.done < state.total else { return nil }
            return "\(state.file): saving \(state.done) of \(state.total) contacts …"
        }
        if let line { ProgressLine.show(line) }
    }
}
