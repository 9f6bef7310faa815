// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Foundation
import Testing

@testable import QuoteKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Lists across pages", .timeLimit(.minutes(10)))
struct PaginationTests {
    /// A list of so many items behind a transport that counts.
    private func list(
        _ total: Int,
        pageSize: Int,
        prefetching: Int = 0,
        onPage: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) -> (PagedItems<Item>, EventLog) {
        let transport = ScriptedTransport { request, _ in
            let items = try #require(request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) })
            func number(_ name: String) throws -> Int {
                try #require(items.queryItems?.first { $0.name == name }?.value.flatMap { Int($0) })
            }
            let page = try number("page")
            try await onPage(page)
            let answer = Samples.page(page, limit: try number("limit"), of: total)
            return .init(body: String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
        }
        let list = PagedItems<Item>(
            client: QuoteClient(transport: transport, retryPolicy: .never),
            endpoint: QuotableEndpoint(.tags),
            pageSize: pageSize,
            prefetching: prefetching
        )
        return (list, transport.log)
    }

    private func pages(_ count: Int, pageSize: Int) -> [String] {
        (0..<count).map { "/tags?limit=\(pageSize)&page=\($0 + 1)" }
    }

    @Test(arguments: [0, 1, 3]) func `a server that ignores the page is not asked forever`(_ prefetching: Int)
        async throws
    {
        let transport = ScriptedTransport { _, _ in
            let answer = Samples.page(1, limit: 2, of: 1000)
            return .init(body: String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
        }
        let list = PagedItems<Item>(
            client: QuoteClient(transport: transport, retryPolicy: .never),
            endpoint: QuotableEndpoint(.tags),
            pageSize: 2,
            prefetching: prefetching
        )
        var count = 0
        let error = await #expect(throws: QuoteFetchError.self) { for try await _ in list { count += 1 } }
        #expect(error?.description.contains("It is 1, and 2 was asked for.") == true)
        #expect(count == 2)
        #expect(transport.log.events.count <= 2 + prefetching)
    }

    @Test(arguments: [0, 1, 3, 50], [1, 7, 20, 21]) func `nothing is lost or twice`(_ prefetching: Int, _ size: Int)
        async throws
    {
        for total in [1, 6, 7, 8, 20] {
            let (list, log) = self.list(total, pageSize: size, prefetching: prefetching)
            let ids = try await all(list).map(\.id)
            #expect(ids == (1...total).map(String.init))
            #expect(log.events.sorted() == self.pages((total + size - 1) / size, pageSize: size).sorted())
        }
    }

    @Test(arguments: [0, 1]) func `an empty list is one request`(_ prefetching: Int) async throws {
        let (list, log) = self.list(0, pageSize: 5, prefetching: prefetching)
        let ids = try await all(list).map(\.id)
        #expect(ids == [])
        #expect(log.events == self.pages(1, pageSize: 5))
    }

    @Test func `a page is fetched when it is needed`() async throws {
        let (list, log) = self.list(6, pageSize: 2)
        var iterator = list.makeAsyncIterator()
        #expect(log.events == [])
        var requests: [Int] = []
        while try await iterator.next() != nil { requests.append(log.events.count) }
        #expect(requests == [1, 1, 2, 2, 3, 3])
        #expect(log.events.count == 3)
        let more = try await iterator.next()
        #expect(more == nil)
        #expect(log.events.count == 3)
    }

    @Test func `who leaves fetches no more`() async throws {
        let (list, log) = self.list(100, pageSize: 2)
        for try await item in list where item.id == "3" { break }
        #expect(log.events == self.pages(2, pageSize: 2))
    }

    @Test func `one ahead is one ahead`() async throws {
        let (list, log) = self.list(8, pageSize: 2, prefetching: 1)
        var iterator = list.makeAsyncIterator()
        #expect(log.events == [])
        for taken in 1...8 {
            _ = try await iterator.next()
            // The page of this item, and the next one if there is one.
            let expected = min((taken + 1) / 2 + 1, 4)
            try await log.events(atLeast: expected)
            #expect(log.events.count == expected)
        }
        let end = try await iterator.next()
        #expect(end == nil)
        #expect(log.events.count == 4)
    }

    @Test func `each iterator begins anew`() async throws {
        let (list, log) = self.list(3, pageSize: 2)
        let first = try await all(list)
        let second = try await all(list)
        #expect(first == second)
        #expect(log.events.count == 4)
    }

    @Test(arguments: [0, 1]) func `an error comes in its place and once`(_ prefetching: Int) async throws {
        let (list, log) = self.list(6, pageSize: 2, prefetching: prefetching) { page in
            if page == 2 { throw URLError(.networkConnectionLost) }
        }
        var iterator = list.makeAsyncIterator()
        let first = [try await iterator.next()?.id, try await iterator.next()?.id]
        #expect(first == ["1", "2"])
        do {
            _ = try await iterator.next()
            Issue.record("no error")
        } catch QuoteFetchError.connection {}
        let after = try await iterator.next()
        #expect(after == nil)
        #expect(log.events == self.pages(2, pageSize: 2))
    }

    @Test func `an iterator that goes cancels what it fetches`() async throws {
        let outcomes = EventLog()
        let (list, log) = self.list(6, pageSize: 2, prefetching: 2) { page in
            if page == 1 { return }
            do { try await Task.sleep(for: .seconds(3600)) } catch { outcomes.record("\(type(of: error))") }
        }
        var iterator: PagedItems<Item>.AsyncIterator? = list.makeAsyncIterator()
        _ = try await iterator?.next()
        try await log.events(atLeast: 3)
        iterator = nil
        try await outcomes.events(atLeast: 2)
        #expect(outcomes.events == ["CancellationError", "CancellationError"])
    }

    @Test(arguments: [0, 1]) func `cancellation ends the wait and the request`(_ prefetching: Int) async throws {
        let outcomes = EventLog()
        let (list, log) = self.list(6, pageSize: 2, prefetching: prefetching) { page in
            if page == 1 { return }
            do {
                try await Task.sleep(for: .seconds(3600))
            } catch {
                outcomes.record("\(type(of: error))")
                throw error
            }
        }
        let task = Task { try await all(list) }
        try await log.events(atLeast: 2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await outcomes.events(atLeast: 1)
        #expect(outcomes.events == ["CancellationError"])
    }
}
