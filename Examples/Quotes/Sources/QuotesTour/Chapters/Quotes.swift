// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeCombine
import Coroutines
import Dispatch
import Foundation
import QuotableServer
import QuoteKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// From here on nothing is played: QuoteKit asks a server of this process, over HTTP.

extension Tour {
    /// Starts the server, and goes through the chapters that need one.
    func visitTheServer() async {
        let log = ServerLog()
        let configuration = QuoteServer.Configuration(requestsPerMinute: nil, hasSlowRoute: true, logger: log.logger)
        let error = await errorOf {
            try await QuoteServer.withServer(configuration: configuration) { address in
                guard let url = URL(string: address.url) else { throw URLError(.badURL) }
                let client = QuoteClient(host: QuotableHost(url))
                await self.askInEachStyle(client)
                await self.cutOff(url, log)
                await self.askAThousandTimes(client)
            }
        }
        self.narrator.check(
            "the server starts, and stops in peace",
            so: "no connection of the chapters above was left open",
            error == nil,
            error
        )
    }

    private func askInEachStyle(_ client: QuoteClient) async {
        self.narrator.chapter(
            "One query in six styles, over HTTP",
            "QuoteKit has one implementation, which is async; the other styles are bridges to it.",
            "The twenty youngest quotations on wisdom:"
        )
        let tags = ["wisdom"]
        let styles: [(name: String, reason: String, ask: @Sendable () async throws -> [String])] = [
            (
                "a completion handler", "old callers stay as they are",
                {
                    let page: Quotes = try await withCallback { callback in
                        client.quotes(tags: tags) { callback.resume(with: $0) }
                    } onCancel: {
                        $0.cancel()
                    }
                    return page.results.map(\.id)
                }
            ),
            (
                "async", "the form that new code is written in",
                { try await client.quotes(tags: tags).results.map(\.id) }
            ),
            (
                "a future", "an answer that can be passed on and combined",
                { try await client.quotesFuture(tags: tags).map { $0.results.map(\.id) }.value }
            ),
            (
                "a coroutine", "code that cannot be async asks as well",
                { try await withCoroutine { try client.awaitQuotes(tags: tags).results.map(\.id) } }
            ),
            (
                "a publisher", "a screen bound with Combine stays as it is",
                { try await client.quotesPublisher(tags: tags).singleValue().results.map(\.id) }
            ),
            (
                "a sequence over all pages", "the next page is asked for when it is needed",
                {
                    var ids: [String] = []
                    for try await quote in client.allQuotes(tags: tags).prefix(20) { ids.append(quote.id) }
                    return ids
                }
            ),
        ]
        // The first request of a process opens the connection and the database.
        _ = try? await client.quotes(tags: tags)
        var answers: [[String]] = []
        for style in styles {
            let start = ContinuousClock.now
            do {
                let ids = try await style.ask()
                let time = (ContinuousClock.now - start) / .milliseconds(1)
                self.narrator.check(style.name, so: style.reason, ids.count == 20, String(format: "%.1f ms", time))
                answers.append(ids)
            } catch {
                self.narrator.check(style.name, so: style.reason, false, error)
            }
        }
        self.narrator.check(
            "all six are equal",
            so: "a codebase may have all of them while it is moved",
            answers.count == 6 && Set(answers).count == 1
        )
    }

    private func cutOff(_ server: URL, _ log: ServerLog) async {
        self.narrator.chapter(
            "A request that is cancelled half-way",
            "The server would answer for a minute; it says when its client has gone."
        )
        let minute = URLQueryItem(name: "seconds", value: "60")
        let request = URLRequest(url: server.appending(path: "slow").appending(queryItems: [minute]))
        let task = Task { try await URLSessionTransport().data(for: request) }
        await until { !log.messages(containing: "Slow answer begun").isEmpty }
        let start = ContinuousClock.now
        task.cancel()
        let error = await errorOf { try await task.value }
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        self.narrator.check(
            "the call ends with an error",
            so: "the screen that asked can go",
            error is CancellationError,
            error
        )
        self.narrator.check(
            "long before the minute is over",
            so: "it does not wait for the server",
            time < 5000,
            String(format: "%.1f ms", time)
        )
        await until { !log.messages(containing: "Slow answer cut off").isEmpty }
        let lines = log.messages(containing: "Slow answer cut off")
        self.narrator.check(
            "the server saw it go, once",
            so: "it stops work for which nobody waits",
            lines.count == 1,
            lines.last
        )
    }

    private func askAThousandTimes(_ client: QuoteClient) async {
        self.narrator.chapter(
            "A thousand requests at once, from coroutines on two threads",
            "Plain code, five hundred times on each of two queues. Each waits for its quotation; no thread does."
        )
        BridgeDiagnostics.tracksCoroutines = true
        defer { BridgeDiagnostics.tracksCoroutines = false }
        let ids: [String]
        do { ids = try await client.quotes(limit: 100).results.map(\.id) } catch {
            return self.narrator.check("the first hundred ids", so: "the chapter needs them", false, error)
        }
        let queues = ["left", "right"].map { DispatchQueue(label: $0) }
        let start = ContinuousClock.now
        let futures = (0..<1000).map { number in
            let id = ids[number % ids.count]
            let queue = queues[number % 2]
            return queue.coroutineFuture {
                let quote = try client.awaitQuote(id: id)
                dispatchPrecondition(condition: .onQueue(queue))
                return quote.id == id
            }
        }
        await until { BridgeDiagnostics.coroutines.count > 500 }
        let waiting = BridgeDiagnostics.coroutines
        // Those that have only begun are in the list as well.
        let waits = waiting.map { "\($0)" }.filter { $0.contains("waiting for") }
        self.narrator.check(
            "of \(waiting.count), \(waits.count) wait, and each says where, and for what",
            so: "you find the one that hangs",
            !waits.isEmpty && waits.allSatisfy { $0.contains("at QuoteKit/QuoteClient+Coroutines.swift:") },
            waits.first
        )
        let (each, reason) = ("each has its own quotation", "a thousand waits need no more threads than one")
        do {
            let answers = try await CoFuture.all(futures).value
            let time = (ContinuousClock.now - start) / .milliseconds(1)
            let isRight = answers.count == 1000 && answers.allSatisfy { $0 }
            self.narrator.check(each, so: reason, isRight, String(format: "%d in %.0f ms", answers.count, time))
        } catch {
            self.narrator.check(each, so: reason, false, error)
        }
    }
}
