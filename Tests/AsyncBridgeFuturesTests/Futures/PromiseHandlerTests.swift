// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

/// That handlers of every shape compile, as in `HandlerShapes` of the hub.
///
/// With some of them the compiler crashed.
@Suite("Handlers of a promise", .timeLimit(.minutes(10)))
struct PromiseHandlerTests {
    typealias Completion<Value> = (Value) -> Void

    @Test func `take any number of values`() async throws {
        func none(_ done: @escaping () -> Void) { done() }
        func one(_ done: @escaping (Int) -> Void) { done(1) }
        func two(_ done: @escaping (Int?, (any Error)?) -> Void) { done(2, nil) }
        func seven(_ done: @escaping (Int, Int, Int, Int, Int, Int, Int) -> Void) { done(1, 1, 1, 1, 1, 1, 1) }
        let promises = (0..<4).map { _ in CoPromise<Int>() }
        none(promises[0].handler { 0 })
        one(promises[1].handler { $0 })
        two(
            promises[2].handler { value, error in
                if let error { throw error }
                return value ?? -1
            }
        )
        seven(promises[3].handler { $0 + $1 + $2 + $3 + $4 + $5 + $6 })
        #expect(try promises.map { try $0.result?.get() } == [0, 1, 2, 7])
    }

    @Test func `take tuples, closures and what is passed in other ways`() async throws {
        func tuple(_ done: @escaping ((number: Int, text: String)) -> Void) { done((number: 0, text: "a")) }
        func tupleAndError(_ done: @escaping ((Int, String), (any Error)?) -> Void) { done((2, "a"), nil) }
        func void(_ done: @escaping Completion<Void>) { done(()) }
        func closure(_ done: @escaping (@escaping (Int) -> Int) -> Void) { done { $0 + 1 } }
        func variadic(_ done: @escaping (Int...) -> Void) { done(2, 3) }
        func changeable(_ done: @escaping (inout Int) -> Void) {
            var number = 5
            done(&number)
            #expect(number == 6)
        }
        let promises = (0..<7).map { _ in CoPromise<Int>() }
        tuple(promises[0].handler { $0.number })
        tuple(promises[1].handler { number, text in number + text.count })
        tupleAndError(
            promises[2].handler { pair, error in
                if let error { throw error }
                return pair.0
            }
        )
        void(promises[3].handler { _ in 3 })
        closure(promises[4].handler { $0(3) })
        variadic(promises[5].handler { $0.reduce(0, +) })
        changeable(
            promises[6].handler { number in
                number += 1
                return number
            }
        )
        #expect(try promises.map { try $0.result?.get() } == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test func `throw what the closure throws`() {
        func old(_ done: @escaping (Int?, (any Error)?) -> Void) { done(nil, CancellationError()) }
        let promise = CoPromise<Int>()
        old(
            promise.handler { value, error in
                if let error { throw error }
                return value ?? -1
            }
        )
        #expect(throws: CancellationError.self) { try promise.result?.get() }
    }
}
