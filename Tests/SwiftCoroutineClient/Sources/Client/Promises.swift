// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

/// A request that can be cancelled, as that of `URLSession`.
final class Request: @unchecked Sendable {
    private let cancelled: Counter

    init(_ cancelled: Counter) { self.cancelled = cancelled }

    func resume() {}

    func cancel() { self.cancelled.note("request") }
}

/// An extension in the style of that of `URLSession`.
func dataTaskFuture(_ path: String, _ cancelled: Counter) -> CoFuture<(data: String, status: Int)> {
    let promise = CoPromise<(data: String, status: Int)>()
    let task = Request(cancelled)
    fetch(path) {
        if path.isEmpty { return }
        if let error = $2 {
            promise.fail(error)
        } else if let data = $0, let status = $1 {
            promise.success((data, status))
        } else {
            promise.fail(Refused())
        }
    }
    task.resume()
    promise.whenCanceled(task.cancel)
    return promise
}

func checkPromises() {
    let counter = Counter()
    inCoroutine {
        check(try dataTaskFuture("path", counter).await().data, is: "path", "a promise's value")
    }
    let endless = dataTaskFuture("", counter)
    endless.cancel()
    check(endless.isCanceled, "cancelled")
    counter.wait(for: 1)

    // Observers.
    let events = Counter()
    let promise = CoPromise<Int>()
    promise.whenComplete { events.note("complete") }
    promise.whenComplete { result in
        if case .success(let value) = result { events.note("result \(value)") }
    }
    promise.whenSuccess { value in events.note("success \(value)") }
    promise.whenSuccess { events.note("short \($0)") }
    promise.whenFailure { error in events.note("failure \(error)") }
    promise.whenCanceled { events.note("cancelled") }
    promise.success(1)
    promise.success(2)
    promise.fail(Refused())
    promise.whenComplete { events.note("late") }
    check(
        events.events,
        is: ["complete", "result 1", "success 1", "short 1", "late"],
        "observers, first come, first served"
    )

    // The other ends.
    let failed = CoPromise<Int>()
    failed.whenFailure { error in if error is Refused { events.note("failed") } }
    failed.fail(Refused())
    check(events.events.last ?? "", is: "failed", "a failure")
    let cancelled = CoPromise<Int>()
    cancelled.whenCanceled { events.note("cancelled") }
    cancelled.fail(CoFutureError.canceled)
    check(events.events.last ?? "", is: "cancelled", "failing with `canceled` cancels")

    let completed = CoPromise<Int>()
    completed.complete(with: .success(3))
    let anyError: Result<Int, Error> = .success(4)
    completed.complete(with: anyError)
    let typed: Result<Int, Refused> = .failure(Refused())
    let typedPromise = CoPromise<Int>()
    typedPromise.complete(with: typed)
    if case .failure(is Refused)? = typedPromise.result {} else { check(false, "completing with a typed error") }
    let following = CoPromise<Int>()
    following.complete(with: completed)
    check((try? following.result?.get()) == 3, "completing with a future")

    // Methods as closures.
    let copies = [CoPromise<Int>(), CoPromise<Int>(), CoPromise<Int>(), CoPromise<Int>()]
    completed.whenSuccess(copies[0].success)
    failed.whenFailure(copies[1].fail)
    completed.whenComplete(copies[2].complete)
    completed.whenComplete(copies[3].complete(with:))
    check((try? copies[0].result?.get()) == 3, "`success` as a closure")
    if case .failure(is Refused)? = copies[1].result {} else { check(false, "`fail` as a closure") }
    check((try? copies[2].result?.get()) == 3, "`complete` as a closure")
    check((try? copies[3].result?.get()) == 3, "`complete(with:)` as a closure")
    let fromCallback = CoPromise<Int>()
    someAsyncFunc(callback: fromCallback.complete)
    inCoroutine { check(try fromCallback.await(), is: 5, "`complete` as a completion handler") }
    let later = CoPromise<Int>()
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { later.cancel() }
    later.whenCanceled { events.note("cancelled later") }
    inCoroutine {
        do {
            _ = try later.await()
            check(false, "must be cancelled")
        } catch CoFutureError.canceled {}
    }
}
