// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser

/// The command: what a picture shows.
@main
struct WhatsThat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whatsthat",
        abstract: "Says what a picture shows, and how sure it is.",
        discussion: """
            The model that is compiled in knows 75 drawings, no photographs. These are known, of 1,000 things, when \
            Examples/WhatsThat/install-model was run once. Any ONNX classifier can be used instead. It ends with 0; 1 if something failed; 64 if it was called wrongly; 130 after Ctrl-C, 143 after \
            SIGTERM.
            """,
        subcommands: [ClassifyCommand.self, ServeCommand.self],
        defaultSubcommand: ClassifyCommand.self
    )
}
