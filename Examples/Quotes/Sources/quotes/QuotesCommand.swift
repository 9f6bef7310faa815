// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser

/// The command: quotations from a server, or from one that it brings along.
@main
struct QuotesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quotes",
        abstract: "Shows quotations from a Quotable server.",
        discussion: """
            Without --server it starts a server of its own, in this process, for as long as it needs it.

            It ends with 0; 1 if a request failed or the output cannot be written; 64 if it was called wrongly; 130 after
            Ctrl-C, 143 after SIGTERM.
            """,
        version: "0.1.0",
        subcommands: [
            RandomCommand.self, ListCommand.self, SearchCommand.self, AuthorsCommand.self, TagsCommand.self,
            WatchCommand.self,
        ]
    )
}
