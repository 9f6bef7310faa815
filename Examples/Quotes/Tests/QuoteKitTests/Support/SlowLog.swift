// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Logging

/// Keeps what a server logs about slow answers.
struct SlowLog: Sendable {
    /// Gets an event for each answer that has begun.
    let begun = EventLog()
    /// Gets an event for each answer for which the client did not wait.
    let cutOff = EventLog()
    /// Gets an event for each answer that got to its end.
    let complete = EventLog()

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: SlowLog
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            switch event.message.description {
            case "Answered" where event.metadata?["path"] == "/slow": self.log.begun.record("begun")
            case "Slow answer cut off": self.log.cutOff.record("cut off")
            case "Slow answer complete": self.log.complete.record("complete")
            default: break
            }
        }
    }
}
