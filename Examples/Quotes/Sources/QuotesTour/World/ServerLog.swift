// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Logging

/// What the server says it does, kept instead of printed.
struct ServerLog: Sendable {
    private let lines = Notebook<String>()

    /// The messages with a text in them, in order.
    func messages(containing text: String) -> [String] { self.lines.entries.filter { $0.contains(text) } }

    /// A logger that writes here.
    var logger: Logger { Logger(label: "quotable") { _ in Handler(lines: self.lines) } }

    private struct Handler: LogHandler {
        let lines: Notebook<String>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            self.lines.note("\(event.message)")
        }
    }
}
