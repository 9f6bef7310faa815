// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

func name(of error: Error) -> String {
    do { throw error } catch CoFutureError.canceled {
        return "cancelled"
    } catch CoFutureError.timeout {
        return "timeout"
    } catch CoChannelError.closed {
        return "closed"
    } catch CoroutineError.mustBeCalledInsideCoroutine {
        return "outside"
    } catch {
        return "other"
    }
}

func checkErrors() {
    check(name(of: CoFutureError.canceled), is: "cancelled", "a cancelled future's error")
    check(name(of: CoChannelError.canceled), is: "cancelled", "a cancelled channel's error")
    check(name(of: CoroutineError.canceled), is: "cancelled", "a cancelled coroutine's error")
    check(name(of: CoFutureError.timeout), is: "timeout", "the error when the time is up")
    check(name(of: CoChannelError.closed), is: "closed", "a closed channel's error")
    check(name(of: CoroutineError.mustBeCalledInsideCoroutine), is: "outside", "the error outside a coroutine")
    check(name(of: Refused()), is: "other", "another error")

    // One for them all.
    for error in [CoFutureError.canceled as Error, CoChannelError.canceled, CoroutineError.canceled] {
        check(error is CancellationError, "cancellation has one error")
    }
    check((CoFutureError.timeout as Error) as? CoFutureError == .timeout, "comparing an error that is no cancellation")
    check((CoChannelError.closed as Error) as? CoChannelError == .closed, "comparing an error that is no cancellation")

    let cancelled = CoPromise<Int>()
    cancelled.cancel()
    switch cancelled.result {
    case .failure(CoFutureError.canceled)?: break
    default: check(false, "matching a cancelled future's result")
    }
    cancelled.whenComplete { result in
        switch result {
        case .success: check(false, "there is no value")
        case .failure(CoFutureError.timeout): check(false, "the time was not up")
        case .failure(CoFutureError.canceled): break
        case .failure(let error): check(false, "the error is \(error)")
        }
    }

    // What a future does to its chain, and a cancelled coroutine to what it waits for.
    let source = CoPromise<Int>()
    let chain = source.map { $0 + 1 }.flatMap { future(of: $0) }.recover { _ in 0 }
    chain.cancel()
    check(source.isCanceled && chain.isCanceled, "cancelling goes up the chain")

    let counter = Counter()
    let endless = CoPromise<Int>()
    let coroutine = DispatchQueue.global().coroutineFuture { () -> Int in
        do { return try endless.await() } catch CoroutineError.canceled {
            counter.note("the coroutine was cancelled")
            throw CoroutineError.canceled
        }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { coroutine.cancel() }
    inCoroutine {
        do { _ = try coroutine.await() } catch is CancellationError {}
        check(coroutine.isCanceled, "the future of a cancelled coroutine")
    }
    check(endless.result == nil, "what a cancelled coroutine waits for goes on, for others")
    endless.cancel()
}
