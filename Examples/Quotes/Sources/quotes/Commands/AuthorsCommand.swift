// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import QuoteKit

struct AuthorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "authors", abstract: "Lists authors.")

    @OptionGroup var options: CommonOptions
    @OptionGroup var page: PageOptions

    @Option(help: "By what they are sorted.")
    var sortBy: AuthorsAndTagsSortType = .name

    @Option(help: "Which end comes first; the server's choice without it.")
    var order: QuotableListOrder?

    func validate() throws { try self.page.check(for: self.options.style) }

    func run() async throws {
        try await self.options.run { client, printer in
            let order = self.order.map { [QuotableQueryItem.order($0)] } ?? []
            let endpoint = QuotableEndpoint(.authors, queryItems: [.sortBy(self.sortBy)] + order)
            let all = client.allAuthors(
                sortBy: self.sortBy,
                order: self.order,
                pageSize: self.page.pageSize,
                prefetching: 1
            )
            try printer.show(try await self.options.style.list(client, endpoint, self.page, all: all))
        }
    }
}
