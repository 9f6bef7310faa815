// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import QuoteKit

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Looks for quotations, or for authors."
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var page: PageOptions

    @Flag(help: "Looks for authors by their names.")
    var authors = false

    @Argument(help: "The words; in quotation marks, exactly these words.")
    var words: [String]

    func validate() throws { try self.page.check(for: self.options.style) }

    func run() async throws {
        let query = self.words.joined(separator: " ")
        try await self.options.run { client, printer in
            let (style, page) = (self.options.style, self.page)
            if self.authors {
                let endpoint = QuotableEndpoint(.searchAuthors, queryItems: [.search(query)])
                let all = client.searchAllAuthors(for: query, pageSize: page.pageSize, prefetching: 1)
                try printer.show(try await style.list(client, endpoint, page, all: all))
            } else {
                let endpoint = QuotableEndpoint(.searchQuotes, queryItems: [.search(query)])
                let all = client.searchAllQuotes(for: query, pageSize: page.pageSize, prefetching: 1)
                try printer.show(try await style.list(client, endpoint, page, all: all))
            }
        }
    }
}
