// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import QuoteKit
import Testing

@Suite("Every call in every style", .timeLimit(.minutes(2)))
struct StyleTests {
    /// Asks in each style, and gives the answer if it was the same each time.
    private func ask<Answer: Sendable & Equatable>(
        _ client: QuoteClient,
        _ question: Question<Answer>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let answers = try await question.answers(from: client).map { try $0.get() }
        #expect(answers.count == 4, sourceLocation: sourceLocation)
        let first = try #require(answers.first, sourceLocation: sourceLocation)
        #expect(answers.allSatisfy { $0 == first }, sourceLocation: sourceLocation)
        return first
    }

    @Test(arguments: Carrier.allCases) func quotes(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let page = try await self.ask(
                client,
                Question(
                    direct: { try await $0.quotes(tags: ["love"], sortBy: .content, limit: 3) },
                    callback: { $0.quotes(tags: ["love"], sortBy: .content, limit: 3, completion: $1) },
                    future: { $0.quotesFuture(tags: ["love"], sortBy: .content, limit: 3) },
                    coroutine: { try $0.awaitQuotes(tags: ["love"], sortBy: .content, limit: 3) }
                )
            )
            #expect(page.count == 3)
            #expect(page.results.allSatisfy { $0.tags.contains("Love") })
        }
    }
}
