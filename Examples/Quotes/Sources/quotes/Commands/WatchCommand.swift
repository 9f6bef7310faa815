// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import QuoteKit

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows a new quotation every few seconds, until Ctrl-C.",
        discussion: "Ctrl-C cancels the request that is under way. With --json each quotation is one line."
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var filter: FilterOptions

    @Option(help: "Seconds between two quotations.")
    var every = 5.0

    func validate() throws {
        try self.options.refuseSequence()
        if !(0.1...86_400).contains(self.every) { throw ValidationError("--every takes 0.1 to 86400 seconds.") }
    }

    func run() async throws {
        try await self.options.run { client, printer in
            let endpoint = QuotableEndpoint(.randomQuote, queryItems: self.filter.queryItems)
            while true {
                try printer.show(try await self.options.style.ask(client, endpoint) as Quote)
                try await Task.sleep(for: .seconds(self.every))
            }
        }
    }
}
