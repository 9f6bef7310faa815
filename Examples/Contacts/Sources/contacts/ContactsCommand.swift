// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser

/// The command.
@main
struct ContactsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "Keeps an address book, imports vCards of every version, and exports version 4.0.",
        discussion: """
            It ends with 0; 1 if something failed; 64 if it was called wrongly; 130 after Ctrl-C, 143 after SIGTERM.
            """,
        subcommands: [ImportCommand.self, ListCommand.self, ExportCommand.self, DemoCommand.self]
    )
}
