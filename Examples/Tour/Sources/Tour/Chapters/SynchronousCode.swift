// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension Tour {
    func awaitInSynchronousCode() async {
        self.narrator.chapter(
            "Synchronous code that must wait, however deep",
            "withCoroutine { … Coroutine.await { … } … }: the code stands still, its thread does not."
        )
        let client = ShelfClient()
        let authors = try? await withCoroutine {
            // `map` cannot be async, and need not be.
            try [3, 1, 2].map { id in
                let quote: ShelfQuote = try Coroutine.await { client.fetchQuote(id: id, completion: $0.handler()) }
                return quote.author
            }
        }
        self.narrator.check(
            "a closure of map awaits",
            so: "code that takes plain closures stays as it is",
            authors == ["Ovid", "Aristotle", "Lao Tzu"],
            authors
        )

        var ids: [Int32] = [3, 1, 2]
        try? await withCoroutine {
            // Frames of C stand still as well.
            qsort(&ids, ids.count, MemoryLayout<Int32>.stride) { first, second in
                guard let first = first?.load(as: Int32.self), let second = second?.load(as: Int32.self) else {
                    return 0
                }
                let order = try? Coroutine.await {
                    await Task.yield()
                    return first - second
                }
                return order ?? 0
            }
        }
        self.narrator.check(
            "a comparator of C's qsort awaits",
            so: "so do libraries that you cannot change",
            ids == [1, 2, 3],
            ids
        )

        var steps: [String] = []
        let task = Task {
            try await withCoroutine {
                defer { steps.append("cleaned up") }
                steps.append("begun")
                try Coroutine.delay(.seconds(1000))
                steps.append("went on")
            }
        }
        await until { steps == ["begun"] }
        task.cancel()
        _ = await task.result
        self.narrator.check(
            "cancelled, the wait throws, and defer runs",
            so: "nothing is left open",
            steps == ["begun", "cleaned up"],
            steps
        )
    }

    func startCoroutines() async {
        self.narrator.chapter(
            "Coroutines without a task, on a queue",
            "queue.startCoroutine { … }: it goes on there after each wait. Errors go where you say."
        )
        let client = ShelfClient()
        let outcomes = Notebook<String>()
        let queue = DispatchQueue(label: "work")
        let first = queue.startCoroutine(onError: { outcomes.note("\($0)") }) {
            for id in 1...4 {
                let quote: ShelfQuote = try Coroutine.await { client.fetchQuote(id: id, completion: $0.handler()) }
                dispatchPrecondition(condition: .onQueue(queue))
                outcomes.note(quote.author)
            }
        }
        await first.finished()
        let expected = ["Aristotle", "Lao Tzu", "Ovid", "noSuchQuote(4)"]
        self.narrator.check(
            "three quotes, and an error that is not lost",
            so: "work that nobody awaits still says that it failed",
            outcomes.entries == expected,
            outcomes.entries
        )

        let scope = CoScope()
        let second = queue.startCoroutine(in: scope) { try Coroutine.delay(.seconds(1000)) }
        scope.cancel()
        await second.finished()
        self.narrator.check(
            "a scope ends what was started in it",
            so: "a screen that goes takes its work along",
            scope.isEmpty
        )
    }

    func generate() async {
        self.narrator.chapter(
            "Code that produces values, without turning it inside out",
            "Generator { yield in … }: a Sequence. AsyncGenerator: its body may wait, too."
        )
        let towers = Generator(of: String.self) { yield in
            func move(_ disks: Int, _ from: String, _ to: String, _ other: String) throws {
                guard disks > 0 else { return }
                try move(disks - 1, from, other, to)
                try yield("\(from)→\(to)")
                try move(disks - 1, other, to, from)
            }
            try move(3, "A", "C", "B")
        }
        let moves = Array(towers)
        self.narrator.check(
            "a recursion is a sequence",
            so: "nobody has to turn it into a state machine",
            moves.count == 7,
            moves.joined(separator: " ")
        )

        var isLeft = false
        for _ in Generator({ yield in
            defer { isLeft = true }
            for number in 0... { try yield(number) }
        }) { break }
        self.narrator.check("break unwinds the body", so: "its files are closed", isLeft)

        let client = ShelfClient()
        var texts: [String] = []
        let quotes = AsyncGenerator(of: ShelfQuote.self) { yield in
            for id in 1... {
                try yield(try Coroutine.await { client.fetchQuote(id: id, completion: $0.handler()) })
            }
        }
        var end: (any Error)?
        do {
            for try await quote in quotes { texts.append(quote.text) }
        } catch {
            end = error
        }
        self.narrator.check(
            "quotes until there is none",
            so: "the error of the source ends the loop",
            texts.count == 3 && end != nil,
            end
        )
    }
}
