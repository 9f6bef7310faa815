// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Testing

/// Bodies that break the rules: they are told so, and nothing else breaks.
///
/// In processes of their own, whose standard error is read.
@Suite("Misuse of a generator", .timeLimit(.minutes(10)))
struct GeneratorMisuseTests {
    private func text(_ result: ExitTest.Result?) throws -> String {
        String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    }

    @Test func `swallowing the error of a yield is reported`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            var steps: [Int] = []
            for number in Generator({ yield in
                for number in 0..<5 {
                    try? yield(number)
                    steps.append(number)
                }
            }) where number == 1 { break }
            // It went on to its own end, and nobody got its elements.
            precondition(steps == [0, 1, 2, 3, 4])
        }
        let text = try self.text(result)
        #expect(text.contains("Its elements are no longer wanted"))
        #expect(text.contains("GeneratorMisuseTests.swift"))
        #expect(text.split(separator: "\n").count == 1)
    }

    @Test func `swallowing it forever gives the body up`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            var steps = 0
            for _ in Generator({ yield in
                while true {
                    steps += 1
                    try? yield(steps)
                }
            }) { break }
            // The loop is left all the same, a thousand refusals later.
            precondition(steps > 1000)
        }
        #expect(try self.text(result).contains("Its elements are no longer wanted"))
    }

    @Test func `an AsyncGenerator reports it`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for try await number in AsyncGenerator({ yield in
                for number in 0..<5 { try? yield(number) }
            }) where number == 1 { break }
        }
        #expect(try self.text(result).contains("Its elements are no longer wanted"))
    }

    @Test func `yielding after the end is reported`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            var kept: Generator<Int>.Yielder?
            let generator = Generator { yield in
                kept = yield
                try yield(1)
            }
            precondition(Array(generator) == [1])
            do {
                try kept?(2)
                preconditionFailure("An element was taken after the end")
            } catch {
                precondition(error is CancellationError)
            }
            // The body holds the variable, and the yielder the body.
            kept = nil
        }
        #expect(try self.text(result).contains("was yielded outside the generator's body"))
    }

    /// The body of one generator yields into another one: only that one's own body may.
    @Test func `yielding from another body is reported`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let outer = Generator { yield in
                for number in Generator({ _ in try yield(1) }) as Generator<Int> { try yield(number) }
                try yield(2)
            }
            precondition(Array(outer) == [2])
        }
        #expect(try self.text(result).contains("was yielded outside the generator's body"))
    }

    @Test func `asking for an element within the body is told`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            // Copies share the run; each is a variable of its own, so that no access overlaps another.
            var (first, second): (Generator<Int>.Iterator?, Generator<Int>.Iterator?)
            first = Generator(of: Int.self) { _ in _ = second?.next() }.makeIterator()
            second = first
            _ = first?.next()
        }
        #expect(try self.text(result).contains("was called while its body was running"))
    }
}
