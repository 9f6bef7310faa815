// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import QuoteKit

struct RandomCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "random", abstract: "Shows some quotation.")

    @OptionGroup var options: CommonOptions
    @OptionGroup var filter: FilterOptions

    func validate() throws { try self.options.refuseSequence() }

    func run() async throws {
        try await self.options.run { client, printer in
            let endpoint = QuotableEndpoint(.randomQuote, queryItems: self.filter.queryItems)
            try printer.show(try await self.options.style.ask(client, endpoint) as Quote)
        }
    }
}
