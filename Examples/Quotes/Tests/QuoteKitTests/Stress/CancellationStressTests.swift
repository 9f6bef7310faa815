// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Foundation
import QuotableServer
import QuoteKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// One after the other: each is to have the processors.
@Suite("Cancellation at any moment", .serialized, .timeLimit(.minutes(20)))
struct CancellationStressTests {
    /// What became of the calls.
    private struct Tally: Sendable {
        var answered = 0
        var cancelled = 0
        /// The latest moment at which a call is cancelled, in microseconds.
        ///
        /// Adjusts itself so that calls of any length are met in the middle: an answer shortens it, a cancellation
        /// lengthens it.
        var latest = 2000.0
        /// Completions that were handed over, and calls of them.
        var completions = 0
        var calls = 0
    }

    @Test(arguments: Carrier.allCases) func `every call ends once`(_ carrier: Carrier) async throws {
        try await withServer(carrier) { client in
            let quote = try await client.randomQuote()
            let question = Question.quote(quote.id, from: client)
            let tally = Mutex(Tally())
            let workers = 8
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<workers {
                    group.addTask { @Sendable in
                        for round in 0..<StressScale.rounds(1_000) / workers {
                            let style = Style.allCases[(worker + round) % Style.allCases.count]
                            try await self.ask(question, style, quote, tally)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let result = tally.withLock { $0 }
            #expect(result.answered + result.cancelled == StressScale.rounds(1_000) / workers * workers)
            #expect(result.calls == result.completions)
            // Else the moments were not at random.
            #expect(result.answered > 0 && result.cancelled > 0 && result.completions > 0)
            // The client is none the worse for it.
            let again = try await client.quote(id: quote.id)
            #expect(again == quote)
        }
    }

    private func ask(
        _ question: Question<Quote?>,
        _ style: Style,
        _ quote: Quote,
        _ tally: borrowing Mutex<Tally>
    ) async throws {
        let (completions, calls) = (Counter(), Counter())
        let task = Task {
            try await question.answer(style, onStart: { completions.increment() }, onCall: { calls.increment() })
        }
        // Not to wait for anything: only to come at any moment of the exchange.
        let isPatient = Int.random(in: 0..<4) > 0
        if isPatient {
            let latest = tally.withLock { $0.latest }
            try await Task.sleep(for: .microseconds(Double.random(in: 0...latest)))
        } else {
            for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
        }
        task.cancel()
        let result = await task.result
        tally.withLock { tally in
            tally.completions += completions.value
            tally.calls += calls.value
            switch result {
            case .success(let answer):
                #expect(answer == quote)
                tally.answered += 1
                tally.latest = max(tally.latest / 1.1, 50)
            case .failure(let error):
                #expect(error is CancellationError)
                tally.cancelled += 1
                if isPatient { tally.latest = min(tally.latest * 1.1, 1_000_000) }
            }
        }
    }

    @Test(arguments: Carrier.allCases, [0, 1]) func `every list ends once`(_ carrier: Carrier, prefetching: Int)
        async throws
    {
        try await withServer(carrier) { client in
            let expected = try await client.quotes(sortBy: .content, limit: 16).results
            let list = client.allQuotes(sortBy: .content, pageSize: 4, prefetching: prefetching)
            var (left, cancelled) = (0, 0)
            var latest = 5000.0
            for round in 0..<StressScale.rounds(50) {
                let wanted = Int.random(in: 1...expected.count)
                let task = Task {
                    var items: [Quote] = []
                    for try await item in list {
                        items.append(item)
                        // Leaves with a page on its way, if one is fetched ahead.
                        if items.count == wanted { break }
                    }
                    return items
                }
                try await Task.sleep(for: .microseconds(Double.random(in: 0...latest)))
                task.cancel()
                switch await task.result {
                case .success(let items):
                    #expect(items == Array(expected.prefix(wanted)), "\(round)")
                    left += 1
                    latest = max(latest / 1.1, 50)
                case .failure(let error):
                    #expect(error is CancellationError)
                    cancelled += 1
                    latest = min(latest * 1.1, 1_000_000)
                }
            }
            #expect(left > 0 && cancelled > 0)
        }
    }

    @Test(arguments: Carrier.allCases) func `no transfer is left on the server`(_ carrier: Carrier) async throws {
        let log = SlowLog()
        let configuration = QuoteServer.Configuration(
            requestsPerMinute: nil,
            hasSlowRoute: true,
            logger: log.logger
        )
        try await QuoteServer.withServer(configuration: configuration) { address in
            let url = try #require(URL(string: "\(address.url)/slow?seconds=600"))
            let transport = carrier.transport
            // A session opens six connections to one server, and no more.
            let (rounds, width) = (StressScale.rounds(30), 6)
            for round in 1...rounds {
                let tasks = (0..<width).map { _ in
                    Task { try await transport.data(for: URLRequest(url: url, timeoutInterval: 600)) }
                }
                try await log.begun.events(atLeast: round * width)
                for task in tasks { task.cancel() }
                for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
                // Hangs if one is left.
                try await log.cutOff.events(atLeast: round * width)
            }
            #expect(log.cutOff.events.count == rounds * width)
            #expect(log.complete.events.isEmpty)
        }
    }
}

/// A number that several threads count up.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { self.count.withLock { $0 } }

    func increment() { self.count.withLock { $0 += 1 } }
}
