// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CheckReports
import Foundation

/// `asyncbridge`: what finds mistakes in asynchronous code.
struct AsyncBridgeTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "asyncbridge",
        abstract: "Finds in Swift code what breaks “exactly once”.",
        discussion: """
            A continuation must be resumed exactly once, and a completion handler called exactly once, on every path. \
            The compiler checks neither.

            Exit codes: 0, nothing found; 1, findings at or above --fail-on; 2, wrong usage, or a file that cannot be \
            read or parsed.
            """,
        version: ToolVersion.current,
        subcommands: [Check.self, Wrap.self, Explain.self, APIs.self],
        defaultSubcommand: nil
    )
}

@main
enum Main {
    static func main() {
        do {
            var command = try AsyncBridgeTool.parseAsRoot()
            try command.run()
        } catch {
            let text = AsyncBridgeTool.fullMessage(for: error)
            let code = AsyncBridgeTool.exitCode(for: error)
            if code == .success {
                do {
                    try StandardOutput.write(text + "\n")
                } catch {
                    StandardError.write("Error: \(error)\n")
                    exit(2)
                }
            } else if !text.isEmpty {
                StandardError.write(text + "\n")
            }
            // Findings end with 1, so wrong usage must be another code.
            exit(code == .success ? 0 : error is ExitCode ? code.rawValue : 2)
        }
    }
}
