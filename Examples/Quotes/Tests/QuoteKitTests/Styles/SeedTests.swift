// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Foundation
import QuoteKit
import Testing

// The calls of an app that used QuoteKit before, as they stood there.

private func fetchParticularQuote(for id: String, log: EventLog) {
    QuoteKit.quote(id: id) { result in
        switch result {
        case .success(let quote):
            log.record(quote?.content ?? "nothing")
        case .failure(let error):
            log.record(error.localizedDescription)
        }
    }
}

private func fetchParticularQuote(for id: String) async -> String {
    do {
        let quote = try await QuoteKit.quote(id: id)
        return quote.content
    } catch {
        return "\(error)"
    }
}

@Suite("QuoteKit's callers of old", .timeLimit(.minutes(10)))
struct SeedTests {
    @Test(arguments: Carrier.allCases) func `both styles`(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            try await QuoteKit.withClient(client) {
                let quote = try await QuoteKit.randomQuote()
                let log = EventLog()
                fetchParticularQuote(for: quote.id, log: log)
                try await log.events(atLeast: 1)
                #expect(log.events == [quote.content])
                let content = await fetchParticularQuote(for: quote.id)
                #expect(content == quote.content)

                fetchParticularQuote(for: "1234", log: log)
                try await log.events(atLeast: 2)
                let complaint = "The server answered 404: The requested resource could not be found."
                #expect(log.events.last == complaint)
                let description = await fetchParticularQuote(for: "1234")
                #expect(description == complaint)
            }
        }
    }

    @Test func `its calls have answers`() async throws {
        try await withServer(.urlSession) { client in
            try await QuoteKit.withClient(client) {
                #expect(try await QuoteKit.quotes(tags: ["technology", "famous-quotes"]).results.count > 0)
                #expect(try await QuoteKit.quotes(tags: ["history", "civil-rights"], type: .all).results.count > 0)
                #expect(try await QuoteKit.quotes(tags: ["History", "Civil Rights"], type: .either).results.count > 4)
                #expect(try await QuoteKit.authors(slugs: ["aesop"]).results.map(\.name) == ["Aesop"])
                #expect(try await QuoteKit.searchAuthors(for: "aesop").results.first?.name == "Aesop")
                #expect(try await QuoteKit.randomQuote(authors: ["aesop"]).author == "Aesop")
                let tags = try await QuoteKit.tags()
                #expect(tags.contains { $0.name == "Civil Rights" })
            }
        }
    }

    @MainActor @Test func `the completion runs where it was written`() async throws {
        try await withServer(.urlSession) { client in
            let name: String = try await withCallback { callback in
                client.authors(slugs: ["adam-smith"]) { result in
                    MainActor.assertIsolated()
                    callback.resume(with: result.map { $0.results[0].name })
                }
            }
            #expect(name == "Adam Smith")
        }
    }

    @Test func `the client of the process can be replaced`() throws {
        // Nobody else touches it: tests use a client of their task.
        let before = QuoteKit.client
        #expect(before.host == .production)
        QuoteKit.client = QuoteClient(host: .staging)
        #expect(QuoteKit.client.host == .staging)
        QuoteKit.client = before
    }
}
