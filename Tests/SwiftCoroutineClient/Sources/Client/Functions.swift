// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

// Functions that are used as values.

func checkFunctions() {
    let counter = Counter()
    let queue = DispatchQueue.global()

    // Those of schedulers and coroutines.
    let startCoroutine: (CoScope?, @escaping Code) -> Void = queue.startCoroutine
    let startTask: (@escaping Code) -> Void = queue.startCoroutine(task:)
    let start: (@escaping Code) -> Void = Coroutine.start
    startCoroutine(nil) { counter.note("in no scope") }
    counter.wait(for: 1)
    startTask { counter.note("a task") }
    counter.wait(for: 2)
    start { counter.note("started") }
    check(counter.events.last ?? "", is: "started", "`Coroutine.start` as a value")
    inCoroutine {
        let coroutineFuture: (@escaping Code42) -> CoFuture<Int> = queue.coroutineFuture
        let delay: (DispatchTimeInterval) throws -> Void = Coroutine.delay
        let onQueue: (Code42) throws -> Int = queue.await
        check(try onQueue(computation), is: 42, "`await` as a value")
        try delay(.milliseconds(1))
        check(try coroutineFuture(computation).await(), is: 42, "`coroutineFuture` as a value")
    }

    // Those of futures.
    let make: (@escaping Code42) -> CoFuture<Int> = CoFuture.init(task:)
    check((try? make(computation).result?.get()) == 42, "`CoFuture.init(task:)` as a value")
    let ofCallback: ((@escaping NumberHandler) -> Void) -> CoFuture<Int> = CoFuture.init(promise:)
    check((try? ofCallback { $0(.success(1)) }.result?.get()) == 1, "`CoFuture.init(promise:)` as a value")
    let awaitInTime: (DispatchTimeInterval) throws -> Int = make(computation).await(timeout:)
    check((try? awaitInTime(.seconds(1))) == 42, "`await(timeout:)` as a value")
    let ofResult: (Result<Int, Error>) -> CoFuture<Int> = CoFuture.init(result:)
    check((try? ofResult(.success(2)).result?.get()) == 2, "`CoFuture.init(result:)` as a value")
    let makePromise: () -> CoPromise<Int> = CoPromise.init
    let promise = makePromise()
    let whenSuccess: (@escaping IntHandler) -> Void = promise.whenSuccess
    let whenFailure: (@escaping ErrorHandler) -> Void = promise.whenFailure
    let whenCanceled: (@escaping Action) -> Void = promise.whenCanceled
    let whenComplete: (@escaping Action) -> Void = promise.whenComplete
    whenSuccess { counter.note("success \($0)") }
    whenFailure { counter.note("failure \($0)") }
    whenCanceled { counter.note("cancelled") }
    whenComplete { counter.note("complete") }
    let succeed: (Int) -> Void = promise.success
    let complete: (Result<Int, Error>) -> Void = promise.complete
    let onError: (Error) -> Void = promise.fail
    let onErrorInAClosure: (Error) -> Void = { promise.fail($0) }
    let onErrorWithoutAType = { (error: Error) -> Void in promise.fail(error) }
    succeed(1)
    complete(.success(2))
    onError(Refused())
    onErrorInAClosure(Refused())
    pass(Refused(), to: onErrorWithoutAType)
    check(counter.events.suffix(2), is: ["success 1", "complete"], "observers and results as values")

    check(CoroutineError.calledOutsideCoroutine == .mustBeCalledInsideCoroutine, "the error's first name")
}

func pass(_ error: Error, to handler: (Error) -> Void) { handler(error) }

#if swift(>=6)
typealias Code42 = @Sendable () throws -> Int
typealias NumberHandler = @Sendable (Result<Int, Error>) -> Void
typealias IntHandler = @Sendable (Int) -> Void
typealias ErrorHandler = @Sendable (Error) -> Void
typealias Action = @Sendable () -> Void
#else
typealias Code42 = () throws -> Int
typealias NumberHandler = (Result<Int, Error>) -> Void
typealias IntHandler = (Int) -> Void
typealias ErrorHandler = (Error) -> Void
typealias Action = () -> Void
#endif
