// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import Synchronization

/// Syntax trees that the first reading made and the second one needs again.
///
/// Only so many that a large project takes no more memory than a middling one; the others are parsed twice.
final class ParsedFiles: Sendable {
    private struct State {
        var files: [String: SourceFile] = [:]
        /// How many bytes of source may still be kept as trees.
        var room: Int
    }

    private let state: Mutex<State>

    init(bytes: Int) { state = Mutex(State(room: bytes)) }

    /// Keeps a file, if there is room.
    func put(_ file: SourceFile) {
        state.withLock { state in
            guard file.size <= state.room else { return }
            state.room -= file.size
            state.files[file.path] = file
        }
    }

    /// Takes a file out: nobody asks a third time.
    func take(_ path: String) -> SourceFile? { state.withLock { $0.files.removeValue(forKey: path) } }
}
