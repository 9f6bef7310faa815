// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension Tour {
    func awaitCompletionHandler() async {
        self.narrator.chapter(
            "A completion handler, awaited",
            "withCallback calls the old function and waits; callback.handler() is the completion handler."
        )
        let client = ShelfClient()
        let quote = try? await withCallback { callback in
            client.fetchQuote(id: 2, completion: callback.handler())
        }
        self.narrator.check(
            "the value is returned",
            so: "the code below it reads like synchronous code",
            quote == ShelfClient.shelf[1],
            quote?.text
        )

        let error = await errorOf {
            try await withCallback { callback in
                client.fetchQuote(id: 99, completion: callback.handler())
            }
        }
        self.narrator.check(
            "the client's error is thrown as it is",
            so: "your catch clauses for it go on working",
            error as? ShelfError == .noSuchQuote(99),
            error
        )
    }

    func surviveSecondAnswer() async {
        self.narrator.chapter(
            "The old API calls back twice",
            "A missing 'return' after an error. A checked continuation would end the process here."
        )
        let client = ShelfClient()
        let error = await errorOf {
            try await withCallback { callback in
                client.fetchQuoteCarelessly(id: 1, completion: callback.handler())
            }
        }
        await until { client.journal.contains("careless fetch done") }
        let reports = self.reports.takeAll()
        self.narrator.check(
            "the first answer counts",
            so: "the wait has ended, and nothing can change what it returned",
            error as? ShelfError == .serverIsDown,
            error
        )
        self.narrator.check(
            "the second is refused and reported once",
            so: "you learn of the mistake, and the process goes on",
            reports.count == 1,
            reports.first
        )
        self.narrator.check(
            "the report is of the right kind",
            so: "a handler of your own can tell it from others",
            reports.first?.kind == .duplicateAnswer
        )
    }

    func noticeDroppedCallback() async {
        self.narrator.chapter(
            "The old API never calls back",
            "It released the completion handler. A continuation would wait forever."
        )
        let client = ShelfClient()
        let line = #line + 2
        let error = await errorOf {
            try await withCallback { callback in
                client.fetchQuoteForgetfully(id: 1, completion: callback.handler())
            }
        }
        let fault = error as? BridgeFault
        self.narrator.check(
            "the wait ends with an error",
            so: "nobody looks at a spinner forever",
            fault?.code == .callbackDropped,
            error
        )
        self.narrator.check(
            "the error names the place of the wait",
            so: "you find the call that hung, in a log",
            fault?.made.line == UInt(line),
            "line \(line)"
        )
        // By the thread that let go, perhaps a moment after it has ended the wait.
        await until { !self.reports.entries.isEmpty }
        let reports = self.reports.takeAll()
        self.narrator.check(
            "it is reported too",
            so: "you learn of it where an old 'catch' hides the error",
            reports.map(\.kind) == [.droppedCallback]
        )
    }
}
