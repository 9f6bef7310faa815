// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import ExactlyOnce

/// Prints a rule's page.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Explains a rule: why, a wrong and a right example.")

    @Argument(help: "The rule's name. Without it, all rules are listed.")
    var rule: String?

    func run() throws {
        guard let rule else {
            let lines = Rules.allPages.map { "\($0.id): \($0.summary)\n" }
            return try StandardOutput.write(lines.joined())
        }
        guard let page = Rules.allPages.first(where: { $0.id == rule }) else {
            let names = Rules.allPages.map(\.id).joined(separator: ", ")
            throw ValidationError("There is no rule “\(rule)”. The rules are: \(names)")
        }
        try StandardOutput.write(page.text + "\n")
    }
}

/// Prints the table of APIs.
struct APIs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apis",
        abstract: "Prints how well-known functions call their closures: a start for a table of your own.",
        discussion: """
            A line is a word and names. The word says how often a function calls its closure, or that it “lends” \
            what the closure gets, so that nobody may keep it; “gives” takes a name out of those. Give your own \
            table to “check --apis FILE” and “wrap --apis FILE”. Its entries win.
            """
    )

    func run() throws { try StandardOutput.write(APITable.standardText + "\n") }
}
