// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

@Suite("Generator", .timeLimit(.minutes(10)))
struct GeneratorTests {
    /// What a test's own body throws.
    struct Failure: Error, Equatable {
        var number = 0
    }

    @Suite struct Elements {
        @Test func `come in order`() {
            #expect(Array(Generator { yield in for n in 1...5 { try yield(n) } }) == [1, 2, 3, 4, 5])
        }

        @Test func `may be none`() {
            let nothing = Generator(of: String.self) { _ in }
            #expect(Array(nothing) == [])
        }

        @Test func `may be without end`() {
            let squares = Generator { yield in for n in 1... { try yield(n * n) } }
            #expect(Array(squares.prefix(4)) == [1, 4, 9, 16])
            #expect(squares.first { $0 > 50 } == 64)
        }

        @Test func `are made one at a time`() {
            var log: [String] = []
            let generator = Generator { yield in
                for n in 1...2 {
                    log.append("make \(n)")
                    try yield(n)
                }
                log.append("end")
            }
            var iterator = generator.makeIterator()
            #expect(log == [])
            while let n = iterator.next() { log.append("use \(n)") }
            #expect(log == ["make 1", "use 1", "make 2", "use 2", "end"])
        }

        @Test func `are no more after the end`() {
            var runs = 0
            let generator = Generator { yield in
                runs += 1
                try yield(1)
            }
            var iterator = generator.makeIterator()
            #expect(iterator.next() == 1)
            for _ in 0..<3 { #expect(iterator.next() == nil) }
            #expect(runs == 1)
        }

        @Test func `of every shape`() {
            struct Wide: Equatable {
                var words = SIMD8<Int>()
                var text = ""
            }
            func passes<Element: Equatable>(_ elements: [Element]) -> Bool {
                Array(Generator { yield in for element in elements { try yield(element) } }) == elements
            }
            #expect(passes([1.5, -2.5]))
            #expect(passes(["", "short", String(repeating: "long", count: 100)]))
            #expect(passes([nil, 1, nil]))
            #expect(passes([Wide(words: .init(repeating: 7), text: "seven"), Wide()]))
            #expect(passes([[1], [], [2, 3]]))
            #expect(Generator<Void> { yield in for _ in 0..<3 { try yield(()) } }.reduce(0) { sum, _ in sum + 1 } == 3)
        }

        @Test func `are handed over and not kept`() {
            let tracker = LifetimeTracker()
            var iterator = Generator { yield in
                for n in 1...3 { try yield(tracker.token("\(n)")) }
            }.makeIterator()
            for _ in 1...2 {
                let token = iterator.next()
                #expect(token != nil)
                #expect(tracker.alive == 1)
                withExtendedLifetime(token) {}
            }
            #expect(tracker.alive == 0, "the suspended body keeps no element")
            withExtendedLifetime(iterator) {}
        }
    }

    @Suite struct Runs {
        @Test func `are one for each iterator`() {
            var runs = 0
            let generator = Generator { yield in
                runs += 1
                for n in 1...3 { try yield(n * runs) }
            }
            #expect(Array(generator) == [1, 2, 3])
            #expect(Array(generator) == [2, 4, 6])
            let pairs = Array(zip(generator, generator)).map { $0 + $1 }
            #expect(pairs.count == 3)
            #expect(runs == 4)
        }

        @Test func `are shared by copies of an iterator`() {
            var one = Generator { yield in for n in 1...4 { try yield(n) } }.makeIterator()
            #expect(one.next() == 1)
            var other = one
            #expect(other.next() == 2)
            #expect(one.next() == 3)
            #expect(other.next() == 4)
            #expect(one.next() == nil)
        }
    }

    @Suite struct Errors {
        @Test func `of a body go to the handler`() {
            var errors: [any Error] = []
            let generator = Generator(onError: { errors.append($0) }) { yield in
                try yield(1)
                throw Failure(number: 7)
            }
            var iterator = generator.makeIterator()
            #expect(iterator.next() == 1)
            #expect(errors.isEmpty)
            for _ in 0..<3 { #expect(iterator.next() == nil) }
            #expect(errors.map { $0 as? Failure } == [Failure(number: 7)])
        }

        @Test func `are thrown once by a throwing generator`() throws {
            let generator = ThrowingGenerator { yield in
                try yield(1)
                throw Failure(number: 7)
            }
            var iterator = generator.makeIterator()
            #expect(try iterator.next() == 1)
            #expect(throws: Failure(number: 7)) { try iterator.next() }
            for _ in 0..<3 { #expect(try iterator.next() == nil) }
        }

        @Test func `of an action end for each and unwind the body`() {
            var log: [String] = []
            let generator = ThrowingGenerator { yield in
                defer { log.append("unwound") }
                for n in 1... { try yield(n) }
            }
            #expect(throws: Failure(number: 3)) {
                try generator.forEach { n in
                    log.append("\(n)")
                    if n == 3 { throw Failure(number: n) }
                }
            }
            #expect(log == ["1", "2", "3", "unwound"])
        }
    }
}
