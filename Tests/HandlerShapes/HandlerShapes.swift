// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Handlers made out of a closure for APIs of every shape, each of which calls back at once.
///
/// A client of the library, compiled in two language modes: as this module in Swift 5, and in Swift 6 in the hub's
/// tests, which have a link to the file. With one handler for any number of arguments the compiler crashed at eleven.
public enum HandlerShapes {
    /// An object, for shapes with one.
    public final class Box {
        let number: Int

        /// Holds a number.
        public required init(_ number: Int) { self.number = number }
    }

    /// As a generic library has it: also with `Void` as its value.
    typealias Completion<Value> = (Value) -> Void

    /// What each shape of a callback answers: its number.
    public static func callbacks() async throws -> [Int] {
        [
            try await self.none(), try await self.value(), try await self.valueAndError(), try await self.three(),
            try await self.seven(), try await self.result(), try await self.object(), try await self.existential(),
            try await self.tuple(), try await self.labelledTuple(), try await self.splitTuple(),
            try await self.tupleAndError(), try await self.optionalTupleAndError(), try await self.void(),
            try await self.voidAndError(), try await self.closure(), try await self.closureAndError(),
            try await self.optionalClosure(), try await self.asyncClosure(), try await self.metatype(),
            try await self.metatypeAndError(), try await self.variadic(), try await self.changeable(),
            try await self.twoTuples(), try await self.namedFunction(), try await self.changeableAndConstant(),
            try await self.constantAndChangeable(), try await self.twoChangeable(),
        ]
    }

    // MARK: Without tuples and closures

    static func none() async throws -> Int {
        func old(_ done: @escaping () -> Void) { done() }
        return try await withCallback { callback in old(callback.handler { 0 }) }
    }

    static func value() async throws -> Int {
        func old(_ done: @escaping (Int) -> Void) { done(1) }
        return try await withCallback { callback in old(callback.handler { $0 }) }
    }

    static func valueAndError() async throws -> Int {
        func old(_ done: @escaping (Int?, (any Error)?) -> Void) { done(2, nil) }
        return try await withCallback { callback in
            old(
                callback.handler { value, error in
                    if let error { throw error }
                    return value ?? -1
                }
            )
        }
    }

    static func three() async throws -> Int {
        func old(_ done: @escaping (Int, String, Bool) -> Void) { done(1, "ab", true) }
        return try await withCallback { callback in old(callback.handler { $2 ? $0 + $1.count : -1 }) }
    }

    static func seven() async throws -> Int {
        func old(_ done: @escaping (Int, Int, Int, Int, Int, Int, (Int, Int)) -> Void) {
            done(0, 0, 0, 0, 0, 1, (1, 2))
        }
        return try await withCallback { callback in
            old(callback.handler { a, b, c, d, e, f, g in a + b + c + d + e + f + g.0 + g.1 })
        }
    }

    static func result() async throws -> Int {
        func old(_ done: @escaping (Result<Int, any Error>) -> Void) { done(.success(5)) }
        return try await withCallback { callback in old(callback.handler { try $0.get() }) }
    }

    static func object() async throws -> Int {
        func old(_ done: @escaping (Box) -> Void) { done(Box(6)) }
        return try await withCallback { callback in old(callback.handler { $0.number }) }
    }

    static func existential() async throws -> Int {
        func old(_ done: @escaping (Any) -> Void) { done(7) }
        return try await withCallback { callback in old(callback.handler { $0 as? Int ?? -1 }) }
    }

    // MARK: Tuples

    static func tuple() async throws -> Int {
        func old(_ done: @escaping ((Int, String)) -> Void) { done((8, "a")) }
        return try await withCallback { callback in old(callback.handler { $0.0 }) }
    }

    static func labelledTuple() async throws -> Int {
        func old(_ done: @escaping ((number: Int, text: String)) -> Void) { done((number: 9, text: "a")) }
        return try await withCallback { callback in old(callback.handler { pair in pair.number }) }
    }

    static func splitTuple() async throws -> Int {
        func old(_ done: @escaping ((Int, String)) -> Void) { done((9, "a")) }
        return try await withCallback { callback in old(callback.handler { number, text in number + text.count }) }
    }

    static func tupleAndError() async throws -> Int {
        func old(_ done: @escaping ((Int, String), (any Error)?) -> Void) { done((11, "a"), nil) }
        return try await withCallback { callback in
            old(
                callback.handler { pair, error in
                    if let error { throw error }
                    return pair.0
                }
            )
        }
    }

    static func optionalTupleAndError() async throws -> Int {
        func old(_ done: @escaping ((Int, String)?, (any Error)?) -> Void) { done((12, "a"), nil) }
        return try await withCallback { callback in
            old(
                callback.handler { pair, error in
                    if let error { throw error }
                    return pair?.0 ?? -1
                }
            )
        }
    }

    static func void() async throws -> Int {
        func old(_ done: @escaping Completion<Void>) { done(()) }
        return try await withCallback { callback in old(callback.handler { _ in 13 }) }
    }

    static func voidAndError() async throws -> Int {
        func old(_ done: @escaping (Void, (any Error)?) -> Void) { done((), nil) }
        return try await withCallback { callback in
            old(
                callback.handler { _, error in
                    if let error { throw error }
                    return 14
                }
            )
        }
    }

    // MARK: Functions

    static func closure() async throws -> Int {
        func old(_ done: @escaping (@escaping (Int) -> Int) -> Void) { done { $0 + 1 } }
        return try await withCallback { callback in old(callback.handler { $0(14) }) }
    }

    static func closureAndError() async throws -> Int {
        func old(_ done: @escaping (@escaping @Sendable () throws -> Int, (any Error)?) -> Void) { done({ 16 }, nil) }
        return try await withCallback { callback in
            old(
                callback.handler { value, error in
                    if let error { throw error }
                    return try value()
                }
            )
        }
    }

    static func optionalClosure() async throws -> Int {
        func old(_ done: @escaping ((() -> Int)?) -> Void) { done { 17 } }
        return try await withCallback { callback in old(callback.handler { $0?() ?? -1 }) }
    }

    static func asyncClosure() async throws -> Int {
        func old(_ done: @escaping (@escaping @Sendable () async -> Int) -> Void) { done { 18 } }
        let value: @Sendable () async -> Int = try await withCallback { callback in old(callback.handler { $0 }) }
        return await value()
    }

    // MARK: Types

    static func metatype() async throws -> Int {
        func old(_ done: @escaping (Int.Type) -> Void) { done(Int.self) }
        return try await withCallback { callback in old(callback.handler { $0.init(19) }) }
    }

    static func metatypeAndError() async throws -> Int {
        func old(_ done: @escaping (Box.Type?, (any Error)?) -> Void) { done(Box.self, nil) }
        return try await withCallback { callback in
            old(
                callback.handler { type, error in
                    if let error { throw error }
                    return type?.init(20).number ?? -1
                }
            )
        }
    }

    // MARK: Ways to pass an argument

    static func variadic() async throws -> Int {
        func old(_ done: @escaping (Int...) -> Void) { done(10, 11) }
        return try await withCallback { callback in old(callback.handler { numbers in numbers.reduce(0, +) }) }
    }

    static func changeable() async throws -> Int {
        func old(_ done: @escaping (inout Int) -> Void) {
            var number = 21
            done(&number)
            precondition(number == 22)
        }
        return try await withCallback { callback in
            old(
                callback.handler { number in
                    number += 1
                    return number
                }
            )
        }
    }

    static func changeableAndConstant() async throws -> Int {
        func old(_ done: @escaping (inout Int, Int) -> Void) {
            var number = 24
            done(&number, 1)
            precondition(number == 25)
        }
        return try await withCallback { callback in
            old(
                callback.handler { number, step in
                    number += step
                    return number
                }
            )
        }
    }

    static func constantAndChangeable() async throws -> Int {
        func old(_ done: @escaping (Int, inout Int) -> Void) {
            var number = 25
            done(1, &number)
            precondition(number == 26)
        }
        return try await withCallback { callback in
            old(
                callback.handler { step, number in
                    number += step
                    return number
                }
            )
        }
    }

    static func twoChangeable() async throws -> Int {
        func old(_ done: @escaping (inout Int, inout Int) -> Void) {
            var (first, second) = (25, 2)
            done(&first, &second)
            precondition(first == 2 && second == 25)
        }
        return try await withCallback { callback in
            old(
                callback.handler { first, second in
                    swap(&first, &second)
                    return first + second
                }
            )
        }
    }

    static func twoTuples() async throws -> Int {
        func old(_ done: @escaping ((Int, Int), (a: Int, b: Int)) -> Void) { done((20, 1), (a: 1, b: 1)) }
        return try await withCallback { callback in old(callback.handler { $0.0 + $0.1 + $1.a + $1.b }) }
    }

    static func namedFunction() async throws -> Int {
        func old(_ done: @escaping ((Int, String)) -> Void) { done((24, "a")) }
        @Sendable func first(_ pair: (Int, String)) -> Int { pair.0 }
        return try await withCallback { callback in old(callback.handler(first)) }
    }
}

extension HandlerShapes {
    /// What each shape of a source yields: its number.
    public static func sinks() async throws -> [Int] {
        @Sendable func none(_ next: @escaping () -> Void) { next() }
        @Sendable func value(_ next: @escaping (Int) -> Void) { next(1) }
        @Sendable func tuple(_ next: @escaping ((Int, String)) -> Void) { next((2, "a")) }
        @Sendable func labelledTuple(_ next: @escaping ((number: Int, text: String)) -> Void) {
            next((number: 3, text: "a"))
        }
        @Sendable func tupleAndError(_ next: @escaping ((Int, String), (any Error)?) -> Void) { next((5, "a"), nil) }
        @Sendable func void(_ next: @escaping Completion<Void>) { next(()) }
        @Sendable func closure(_ next: @escaping (@escaping (Int) -> Int) -> Void) { next { $0 } }
        @Sendable func variadic(_ next: @escaping (Int...) -> Void) { next(4, 4) }
        @Sendable func changeable(_ next: @escaping (inout Int) -> Void) {
            var number = 8
            next(&number)
            precondition(number == 9)
        }
        let sequence = CallbackSequence<Int, any Error> { sink in
            none(sink.handler { 0 })
            value(sink.handler { $0 })
            tuple(sink.handler { $0.0 })
            labelledTuple(sink.handler { pair in pair.number })
            tuple(sink.handler { number, text in number + 1 + text.count })
            tupleAndError(
                sink.handler { pair, error in
                    if let error { throw error }
                    return pair.0
                }
            )
            void(sink.handler { _ in 6 })
            closure(sink.handler { $0(7) })
            variadic(sink.handler { numbers in numbers.reduce(0, +) })
            changeable(
                sink.handler { number in
                    number += 1
                    return number
                }
            )
            sink.finish()
            return {}
        }
        var numbers: [Int] = []
        for try await number in sequence { numbers.append(number) }
        return numbers
    }

    // MARK: Trailing closures

    /// What a slot's caller gets from work that a trailing closure starts: in Swift 5 the first closure of two.
    public static func slot() async throws -> [Int] {
        let slot = ReplySlot<Int>()
        let first = try await slot.wait { slot.resume(returning: 0) }
        let second = try await slot.wait(timeout: .seconds(60)) { slot.resume(returning: 1) }
        let third = try await slot.waiter.wait { slot.resume(returning: 2) }
        let fourth = try await slot.wait {
            slot.resume(returning: 3)
        } onCancel: {
            _ = slot.isWaiting
        }
        return [first, second, third, fourth]
    }
}
