// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// The result of an operation arrives, whatever its type: an operation travels as two words, which no compiler checks.
///
/// Each shape twice: ready at once, and after the driver's task was suspended.
@Suite("An operation's result arrives", .timeLimit(.minutes(10)))
struct OperationCallTests {
    struct Failure: Error, Equatable { var number = 7 }

    /// A type that is passed in memory.
    struct Hundred: Equatable, Sendable {
        var head: UInt32 = 1
        var bytes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (2, 3, 4, 5, 6, 7)
        var more: (UInt64, UInt64, UInt64, UInt64, UInt64) = (8, 9, 10, 11, 12)
        var tail: UInt32 = 13

        static func == (left: Hundred, right: Hundred) -> Bool {
            left.head == right.head && left.bytes == right.bytes && left.more == right.more && left.tail == right.tail
        }
    }

    final class Object: Equatable {
        let number: Int
        init(_ number: Int) { self.number = number }
        static func == (left: Object, right: Object) -> Bool { left.number == right.number }
    }

    enum Payload: Equatable, Sendable {
        case none
        case text(String)
        case pair(Int, Hundred)
        indirect case nested(Payload)
    }

    protocol Shape: Sendable { var area: Double { get } }
    struct Square: Shape { var side = 3.0; var area: Double { self.side * self.side } }
    struct Big: Shape { var sides = (1.0, 2.0, 3.0, 4.0, 5.0); var area: Double { self.sides.4 } }

    static func later() async { await Task.yield() }

    // MARK: Types of results

    @Test func void() async throws {
        let count = try await withCoroutine {
            var count = 0
            try Coroutine.await { count += 1 }
            try Coroutine.await {
                await Self.later()
                count += 10
            }
            return count
        }
        #expect(count == 11)
    }

    @Test func integer() async throws {
        let result = try await withCoroutine {
            (
                try Coroutine.await { 7 },
                try Coroutine.await {
                    await Self.later()
                    return 8
                }
            )
        }
        #expect(result == (7, 8))
    }

    @Test func `small and odd sizes`() async throws {
        let result = try await withCoroutine {
            let truth = try Coroutine.await {
                await Self.later()
                return true
            }
            let byte = try Coroutine.await {
                await Self.later()
                return UInt8(200)
            }
            let number = try Coroutine.await {
                await Self.later()
                return Float(1.5)
            }
            let vector = try Coroutine.await {
                await Self.later()
                return SIMD4<Float>(1, 2, 3, 4)
            }
            let letter = try Coroutine.await {
                await Self.later()
                return Character("é")
            }
            return (truth, byte, number, vector, letter)
        }
        #expect(result == (true, 200, 1.5, SIMD4<Float>(1, 2, 3, 4), "é"))
    }

    @Test func string() async throws {
        let long = String(repeating: "long ", count: 20)
        let result = try await withCoroutine {
            (
                try Coroutine.await { "short" },
                try Coroutine.await {
                    await Self.later()
                    return long + "text"
                }
            )
        }
        #expect(result == ("short", long + "text"))
    }

    @Test func `a hundred bytes`() async throws {
        #expect(MemoryLayout<Hundred>.size >= 100)
        let result = try await withCoroutine {
            (
                try Coroutine.await { Hundred() },
                try Coroutine.await {
                    await Self.later()
                    return Hundred(head: 99)
                }
            )
        }
        #expect(result == (Hundred(), Hundred(head: 99)))
    }

    /// More than `withUnsafeTemporaryAllocation` takes from the stack.
    @Test func `more than a kilobyte`() async throws {
        struct Kilobytes {
            var first = SIMD64<Double>(repeating: 1)
            var second = SIMD64<Double>(repeating: 2)
            var third = SIMD64<Double>(repeating: 3)
        }
        #expect(MemoryLayout<Kilobytes>.size > 1024)
        let result = try await withCoroutine {
            try Coroutine.await {
                await Self.later()
                return Kilobytes()
            }
        }
        #expect(result.first.sum() + result.second.sum() + result.third.sum() == 64 * 6)
    }

    @Test func object() async throws {
        let tracker = LifetimeTracker()
        let numbers = try await withCoroutine {
            let first = try Coroutine.await { Object(1) }
            let second = try Coroutine.await {
                await Self.later()
                return Object(2)
            }
            let token = try Coroutine.await {
                await Self.later()
                return tracker.token()
            }
            #expect(tracker.alive == 1)
            withExtendedLifetime(token) {}
            return [first.number, second.number]
        }
        #expect(numbers == [1, 2])
        #expect(tracker.alive == 0)
    }

    @Test func `enum with payload`() async throws {
        let results = try await withCoroutine {
            try [Payload.none, .text("t"), .pair(3, Hundred()), .nested(.nested(.text("deep")))].map { payload in
                try Coroutine.await {
                    await Self.later()
                    return payload
                }
            }
        }
        #expect(results == [.none, .text("t"), .pair(3, Hundred()), .nested(.nested(.text("deep")))])
    }

    @Test func existential() async throws {
        let areas = try await withCoroutine {
            let small: any Shape = try Coroutine.await {
                await Self.later()
                return Square()
            }
            let big: any Shape = try Coroutine.await {
                await Self.later()
                return Big()
            }
            let error: any Error = try Coroutine.await { Failure(number: 3) }
            let anything: any Sendable = try Coroutine.await { [1, 2, 3] }
            return (small.area, big.area, error as? Failure, anything as? [Int])
        }
        #expect(areas == (9, 5, Failure(number: 3), [1, 2, 3]))
    }

    @Test func tuple() async throws {
        let result: (Int, String, Hundred, (Bool, Double)) = try await withCoroutine {
            try Coroutine.await {
                await Self.later()
                return (1, "two", Hundred(), (true, 4.5))
            }
        }
        #expect(result.0 == 1 && result.1 == "two" && result.2 == Hundred() && result.3 == (true, 4.5))
    }

    @Test func optional() async throws {
        let result = try await withCoroutine {
            let none: Int? = try Coroutine.await { nil }
            let some: Int? = try Coroutine.await {
                await Self.later()
                return 5
            }
            let nested: String?? = try Coroutine.await { .some(nil) }
            return (none, some, nested)
        }
        #expect(result == (nil, 5, .some(nil)))
    }

    @Test func `closure and metatype`() async throws {
        let result = try await withCoroutine {
            let base = 40
            let add: @Sendable (Int) -> Int = try Coroutine.await {
                await Self.later()
                return { $0 + base }
            }
            let later: @Sendable () async -> String = try Coroutine.await { { "from an async closure" } }
            let type: any Shape.Type = try Coroutine.await { Big.self }
            let text = try Coroutine.await { await later() }
            return (add(2), text, ObjectIdentifier(type))
        }
        #expect(result == (42, "from an async closure", ObjectIdentifier(Big.self)))
    }

    // MARK: Errors

    @Test func throwing() async throws {
        try await withCoroutine {
            #expect(throws: Failure(number: 1)) { try Coroutine.await { throw Failure(number: 1) } }
            #expect(throws: Failure(number: 2)) {
                _ = try Coroutine.await { () async throws -> Hundred in
                    await Self.later()
                    throw Failure(number: 2)
                }
            }
            let value = try Coroutine.await { () async throws -> String in
                await Self.later()
                return "no error"
            }
            #expect(value == "no error")
        }
    }

    @Test func `typed throws`() async throws {
        func fail() async throws(Failure) -> Int {
            await Self.later()
            throw Failure(number: 3)
        }
        func succeed() async throws(Failure) -> Hundred { Hundred() }
        try await withCoroutine {
            #expect(throws: Failure(number: 3)) { try Coroutine.await { () async throws(Failure) in try await fail() } }
            let value = try Coroutine.await { () async throws(Failure) in try await succeed() }
            #expect(value == Hundred())
        }
    }

    @Test func `never returning`() async throws {
        try await withCoroutine {
            _ = #expect(throws: Failure.self) {
                try Coroutine.await { () async throws -> Never in
                    await Self.later()
                    throw Failure()
                }
            }
        }
    }

    @Test func `never throwing`() async throws {
        func value() async throws(Never) -> [Int] {
            await Self.later()
            return [1, 2]
        }
        let result = try await withCoroutine { try Coroutine.await { () async throws(Never) in await value() } }
        #expect(result == [1, 2])
    }

    // MARK: What an operation captures

    @Test func `much captured`() async throws {
        let tracker = LifetimeTracker()
        let result = try await withCoroutine { () -> (Int, Int, String) in
            let (a, b, c) = (1, "two", Hundred(head: 3))
            let (d, e, f) = ([4.0, 5.0], Payload.pair(6, Hundred()), { (x: Int) in x + 7 })
            let (g, h): (any Shape, Int?) = (Big(), 9)
            let token = tracker.token()
            var (changed, text) = (10, "eleven")
            let sum: Int = try Coroutine.await {
                await Self.later()
                changed += 1
                text += "!"
                let shape = e == .pair(6, Hundred()) ? 1 : 0
                withExtendedLifetime(token) {}
                await Self.later()
                let plain = a + b.count + Int(c.head) + d.count
                return plain + shape + f(0) + Int(g.area) + (h ?? 0)
            }
            return (sum, changed, text)
        }
        #expect(result == (31, 11, "eleven!"))
        #expect(tracker.alive == 0)
    }

    /// What the operation changes is seen afterwards, and what was changed before is seen by it: the optimiser does not
    /// keep values in registers across the wait.
    @Test func `captured variables change`() async throws {
        let (seen, after) = try await withCoroutine {
            var (number, seen) = (0, [Int]())
            for round in 1...100 {
                number = round
                try Coroutine.await {
                    seen.append(number)
                    number += 1000
                    if round.isMultiple(of: 2) { await Self.later() }
                    number += 1
                }
                guard number == round + 1001 else { return (seen, number) }
            }
            return (seen, 0)
        }
        #expect(seen == Array(1...100))
        #expect(after == 0)
    }

    @Test func `stored operation`() async throws {
        let operation: nonisolated(nonsending) () async throws -> sending String = {
            await Self.later()
            return "stored"
        }
        #expect(try await withCoroutine { try Coroutine.await(operation) } == "stored")
        #expect(try await withCoroutine { try Coroutine.await(Self.named) } == "named")
    }

    nonisolated(nonsending) static func named() async -> sending String {
        await Self.later()
        return "named"
    }

    // MARK: Generic contexts

    func roundTrip<Value: Sendable>(_ value: Value) async throws -> Value {
        try await withCoroutine {
            let first = try Coroutine.await { value }
            return try Coroutine.await {
                await Self.later()
                return first
            }
        }
    }

    // Not `throws(Failure)` at the closure: the compiler (6.3.1) makes code of it that crashes, without coroutines as
    // well.
    func attempt<Value: Sendable, Failure: Error>(_ result: Result<Value, Failure>) async throws -> Value {
        try await withCoroutine {
            try Coroutine.await {
                await Self.later()
                return try result.get()
            }
        }
    }

    func mapAll<each Value: Sendable>(_ value: repeat each Value) async throws -> (repeat each Value) {
        func one<Element: Sendable>(_ element: Element) throws -> Element { try Coroutine.await { element } }
        return try await withCoroutine { (repeat try one(each value)) }
    }

    @Test func `generic void`() async throws { #expect(try await self.roundTrip(()) == ()) }

    @Test func `generic simple`() async throws {
        #expect(try await self.roundTrip(7) == 7)
        #expect(try await self.roundTrip("text") == "text")
        #expect(try await self.roundTrip(Hundred()) == Hundred())
    }

    @Test func `generic compound`() async throws {
        #expect(try await self.roundTrip(Payload.text("t")) == .text("t"))
        #expect(try await self.roundTrip(String?.none) == nil)
        #expect(try await self.roundTrip((1, "two")) == (1, "two"))
        #expect(try await self.roundTrip([Big(), Square()] as [any Shape]).map(\.area) == [5, 9])
    }

    @Test func `generic closure`() async throws {
        let closure = try await self.roundTrip { @Sendable in 3 }
        #expect(closure() == 3)
    }

    @Test func `generic throwing`() async throws {
        #expect(try await self.attempt(Result<Hundred, Failure>.success(Hundred())) == Hundred())
        #expect(try await self.attempt(Result<Int, Never>.success(1)) == 1)
        await #expect(throws: Failure()) { try await self.attempt(Result<Int, Failure>.failure(Failure())) }
    }

    @Test func `parameter pack`() async throws {
        #expect(try await self.mapAll(1, "two", Hundred()) == (1, "two", Hundred()))
    }
}
