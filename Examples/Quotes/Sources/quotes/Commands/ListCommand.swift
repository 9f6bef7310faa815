// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import QuoteKit

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists quotations.")

    @OptionGroup var options: CommonOptions
    @OptionGroup var filter: FilterOptions
    @OptionGroup var page: PageOptions

    @Option(help: "By what they are sorted.")
    var sortBy: QuotesSortType = .dateAdded

    @Option(help: "Which end comes first; the server's choice without it.")
    var order: QuotableListOrder?

    func validate() throws { try self.page.check(for: self.options.style) }

    func run() async throws {
        try await self.options.run { client, printer in
            let order = self.order.map { [QuotableQueryItem.order($0)] } ?? []
            let items = self.filter.queryItems + [.sortQuotesBy(self.sortBy)] + order
            let all = client.allQuotes(
                minLength: self.filter.minLength,
                maxLength: self.filter.maxLength,
                tags: self.filter.tags.isEmpty ? nil : self.filter.tags,
                type: self.filter.type,
                authors: self.filter.authors.isEmpty ? nil : self.filter.authors,
                sortBy: self.sortBy,
                order: self.order,
                pageSize: self.page.pageSize,
                prefetching: 1
            )
            let endpoint = QuotableEndpoint(.quotes, queryItems: items)
            try printer.show(try await self.options.style.list(client, endpoint, self.page, all: all))
        }
    }
}
