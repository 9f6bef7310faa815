// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Logging

/// Keeps what is logged, and lets a test wait for it.
final class LogRecorder: Sendable {
    private let messages: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (self.messages, self.continuation) = AsyncStream.makeStream() }

    /// A logger that sends everything here.
    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(continuation: self.continuation) }
        logger.logLevel = .trace
        return logger
    }

    /// Waits until something with this beginning is logged; one waiter at a time.
    func wait(for prefix: String) async -> String? {
        await self.messages.first { $0.hasPrefix(prefix) }
    }

    private struct Handler: LogHandler {
        let continuation: AsyncStream<String>.Continuation
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            self.continuation.yield(([event.message.description] + details).joined(separator: " "))
        }
    }
}
