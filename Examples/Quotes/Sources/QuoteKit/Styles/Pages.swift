// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines

/// Where an iterator over pages stands.
///
/// Invariant: `ahead` holds the pages that follow the present one, without a gap.
final class Pages<Item: Codable & Hashable & Sendable> {
    private typealias Page = QuoteItemCollection<Item>

    private let list: PagedItems<Item>
    private var items: ArraySlice<Item> = []
    private var ahead: ArraySlice<CoFuture<Page>> = []
    /// How many pages came.
    private var count = 0
    /// The page to ask for next, or nil when there is none.
    private var nextPage: Int? = 1

    init(_ list: PagedItems<Item>) { self.list = list }

    deinit { self.cancel() }

    nonisolated(nonsending) func next() async throws -> Item? {
        while true {
            if let item = self.items.popFirst() { return item }
            do {
                guard let page = try await self.fetch() else { return nil }
                try self.take(page)
            } catch {
                self.nextPage = nil
                self.cancel()
                throw error
            }
        }
    }

    private nonisolated(nonsending) func fetch() async throws -> Page? {
        if let page = self.ahead.popFirst() { return try await page.value(cancellation: .propagate) }
        guard let page = self.nextPage else { return nil }
        // With nothing ahead it is fetched in the caller's own task.
        self.nextPage = page + 1
        return try await self.list.client.execute(with: self.list.endpoint.page(page, limit: self.list.pageSize))
    }

    private func take(_ page: Page) throws {
        self.count += 1
        // A server that does not look at the number would be asked forever.
        guard page.page == self.count else {
            throw QuoteFetchError.decoding(path: "page", reason: "It is \(page.page), and \(self.count) was asked for.")
        }
        self.items = page.results[...]
        // An empty page ends the list, whatever the server counts.
        guard page.page < page.totalPages, !page.results.isEmpty else {
            self.nextPage = nil
            self.cancel()
            return
        }
        while self.ahead.count < self.list.prefetching, let next = self.nextPage, next <= page.totalPages {
            self.ahead.append(
                self.list.client.executeFuture(with: self.list.endpoint.page(next, limit: self.list.pageSize))
            )
            self.nextPage = next + 1
        }
    }

    private func cancel() {
        for page in self.ahead { page.cancel() }
        self.ahead = []
    }
}
