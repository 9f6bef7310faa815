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
            for page in Rules.pages { print("\(page.id): \(page.summary)") }
            return
        }
        guard let page = Rules.page(named: rule) else {
            let names = Rules.pages.map(\.id).joined(separator: ", ")
            throw ValidationError("There is no rule “\(rule)”. The rules are: \(names)")
        }
        print(page.text)
    }
}

/// Prints the table of APIs.
struct APIs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apis",
        abstract: "Prints how often well-known functions call their closures: a start for a table of your own.",
        discussion: "Give your own table to “check --apis FILE”. Its entries win."
    )

    func run() { print(APITable.standardText) }
}
