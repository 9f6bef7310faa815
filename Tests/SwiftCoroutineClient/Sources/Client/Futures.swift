// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

/// An error of the program's.
struct Refused: Error {}

#if swift(>=6)
func someAsyncFunc(callback: @escaping @Sendable (Result<Int, Error>) -> Void) {
    DispatchQueue.global().async { callback(.success(5)) }
}
#else
func someAsyncFunc(callback: @escaping (Result<Int, Error>) -> Void) {
    DispatchQueue.global().async { callback(.success(5)) }
}
#endif

func sum(future1: CoFuture<Int>, future2: CoFuture<Int>) -> CoFuture<Int> {
    CoFuture { try future1.await() + future2.await() }
}

func square(_ number: Int) -> Int { number * number }

func future(of number: Int) -> CoFuture<Int> { CoFuture(result: .success(number)) }

#if swift(>=6)
func failure<Value: Sendable>(_ error: Error) -> CoFuture<Value> { CoFuture(result: .failure(error)) }
#else
func failure<Value>(_ error: Error) -> CoFuture<Value> { CoFuture(result: .failure(error)) }
#endif

extension CoFuture {
    /// A user's own addition.
    func asArray() -> CoFuture<[Value]> { map { [$0] } }
}

extension CoroutineScheduler {
    /// Likewise, generic.
    #if swift(>=6)
    func twice<T: Sendable>(_ task: @escaping @Sendable () throws -> T) -> CoFuture<(T, T)> {
        coroutineFuture { (try task(), try task()) }
    }
    #else
    func twice<T>(_ task: @escaping () throws -> T) -> CoFuture<(T, T)> {
        coroutineFuture { (try task(), try task()) }
    }
    #endif
}

func checkFutures() {
    inCoroutine {
        // Making.
        let called = CoFuture(promise: someAsyncFunc)
        check(try called.await(), is: 5, "a future of a callback")
        let closure = CoFuture<Int>(promise: { callback in someAsyncFunc { callback($0) } })
        check(try closure.await(), is: 5, "a future of a callback in a closure")
        let task = CoFuture(task: computation)
        check(try task.await(), is: 42, "a future of a function")
        check(try sum(future1: called, future2: task).await(), is: 47, "a future of two futures")
        let done = CoFuture<String>(result: .success("done"))
        check(try done.await(), is: "done", "a future of a result")

        // In parallel, as in the README.
        let future1: CoFuture<Int> = DispatchQueue.global().coroutineFuture {
            try Coroutine.delay(.milliseconds(2))
            return 5
        }
        let future2: CoFuture<Int> = DispatchQueue.global().coroutineFuture {
            try Coroutine.delay(.milliseconds(3))
            return 6
        }
        check(try future1.await() + future2.await(), is: 11, "a sum")

        // The state.
        check(try future1.result?.get() == 5, "a result")
        check(!future1.isCanceled, "not cancelled")
        let pending = CoPromise<Int>()
        check(pending.result == nil, "no result yet")
        check(!pending.isCanceled, "not cancelled yet")
        pending.cancel()
        check(pending.isCanceled, "cancelled")
        if case .failure(CoFutureError.canceled)? = pending.result {} else { check(false, "a cancelled one's result") }

        if case .success(5) = Result(catching: future1.await) {} else { check(false, "`await` as a closure") }

        // Timeouts.
        let never = CoPromise<Int>()
        do {
            _ = try never.await(timeout: .milliseconds(5))
            check(false, "the time must have been up")
        } catch CoFutureError.timeout {
            check(never.result == nil, "a timeout must leave the future alone")
        }
        check(try done.await(timeout: .seconds(1)), is: "done", "a result in time")
        never.cancel()

        // Transforming.
        check(try future1.map { $0 * 2 }.await(), is: 10, "map")
        check(try future1.map(square).await(), is: 25, "map with a function")
        check(try future1.map { "\($0)" }.map(\.count).await(), is: 1, "map with a key path")
        let thrown: CoFuture<Int> = future1.map { _ in throw Refused() }
        check(try thrown.recover { error in error is Refused ? 1 : 2 }.await(), is: 1, "map that throws, recover")
        let results = thrown.mapResult { result -> Result<Bool, Error> in
            switch result {
            case .success: return .success(true)
            case .failure: return .success(false)
            }
        }
        check(try !results.await(), "mapResult")
        check(try future1.flatMap { number in future(of: number + 1) }.await(), is: 6, "flatMap")
        check(try future1.flatMap(future).await(), is: 5, "flatMap with a function")
        check(try thrown.flatMapError { _ in CoFuture(result: .success(9)) }.await(), is: 9, "flatMapError")
        let flat: CoFuture<String> = thrown.flatMapResult { result in
            CoFuture(result: result.map { "\($0)" }.flatMapError { _ in .success("failed") })
        }
        check(try flat.await(), is: "failed", "flatMapResult")
        check(try future1.asArray().await(), is: [5], "an addition of the user's")
        let pair = try DispatchQueue.global().twice { 4 }.await()
        check(pair == (4, 4), "a generic addition of the user's, and a tuple")

        // Tuples with labels.
        let labelled: CoFuture<(data: String, status: Int)> = CoFuture(result: .success(("data", 200)))
        check(try labelled.await().data, is: "data", "a tuple with labels")
        let void: CoFuture<Void> = CoFuture(result: .success(()))
        try void.await()
        do {
            let failed: CoFuture<Int> = failure(Refused())
            _ = try failed.await()
            check(false, "must fail")
        } catch is Refused {}
    }

    // Hashable.
    let first = CoPromise<Int>()
    let second = future(of: 2)
    var pool = Set<CoFuture<Int>>()
    pool.insert(first)
    pool.insert(second)
    pool.insert(first)
    check(pool.count, is: 2, "a set of futures")
    check(first == first && first != second, "equal by identity")
    var names: [CoFuture<Int>: String] = [first: "first"]
    names[second] = "second"
    check(names[first] == "first", "a dictionary of futures")
    first.cancel()
}
