// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import QuoteKit

struct TagsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "tags", abstract: "Lists the tags.")

    @OptionGroup var options: CommonOptions

    @Option(help: "By what they are sorted.")
    var sortBy: AuthorsAndTagsSortType = .name

    func validate() throws { try self.options.refuseSequence() }

    func run() async throws {
        try await self.options.run { client, printer in
            let endpoint = QuotableEndpoint(.tags, queryItems: [.sortBy(self.sortBy)])
            try printer.show(try await self.options.style.ask(client, endpoint) as [Tag])
        }
    }
}
