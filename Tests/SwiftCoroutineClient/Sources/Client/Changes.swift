// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

// What compiles as before and behaves otherwise: each is in the guide "Coming from SwiftCoroutine".

func checkChanges() {
    let events = Counter()

    // A dropped promise fails with an error of its own, which names the place.
    var dropped: CoPromise<Int>? = CoPromise<Int>()
    dropped?.whenFailure { error in
        if case CoFutureError.promiseDropped? = error as? CoFutureError { events.note("dropped") }
    }
    dropped?.whenCanceled { events.note("cancelled") }
    dropped = nil
    check(events.events, is: ["dropped"], "a dropped promise")

    // So does a channel of which only one side is left.
    var (receiver, sender): (CoChannel<Int>.Receiver, CoChannel<Int>.Sender?) = CoChannel<Int>().pair
    sender?.offer(1)
    sender = nil
    check(receiver.poll() == 1, "what was sent before is there")
    receiver.whenReceive { result in
        if case .failure(let error) = result, case CoChannelError.senderDropped? = error as? CoChannelError {
            events.note("sender dropped")
        }
    }
    check(events.events.last ?? "", is: "sender dropped", "a channel without senders")
    receiver = CoChannel<Int>().receiver

    // A sender that waits when the channel is closed keeps its element; observers hear of the end at once.
    let channel = CoChannel<Int>(capacity: 1)
    channel.offer(1)
    channel.whenComplete { events.note("complete") }
    DispatchQueue.global().startCoroutine {
        events.note("sending")
        do { try channel.awaitSend(2) } catch CoChannelError.closed { events.note("not sent") }
    }
    events.wait(for: 3)
    // Nothing tells that a sender waits; it may come late, which makes no difference.
    DispatchSemaphore(value: 0).waitBriefly()
    check(channel.count, is: 1, "the elements of waiting senders do not count")
    channel.close()
    events.wait(for: 5)
    check(Set(events.events.suffix(2)), is: ["complete", "not sent"], "closing")
    check(channel.poll() == 1 && channel.poll() == nil, "what was in the channel")

    // There is one error of cancellation.
    let promise = CoPromise<Int>()
    promise.fail(CoChannelError.canceled)
    check(promise.isCanceled, "the error of a cancelled channel cancels a future")

    // It is none of the library's own errors: these compile as before, and are never true of it.
    do {
        _ = try promise.result?.get()
        check(false, "the promise was cancelled")
    } catch let error as CoFutureError {
        check(false, "cancellation is \(error)")
    } catch {
        check(!(error is CoFutureError) && !(error is CoChannelError), "cancellation is an error of the library")
        check((error as? CoFutureError) == nil && (error as? CoroutineError) == nil, "cancellation is cast")
        check(error is CancellationError, "cancellation")
    }

    // Old coroutines' errors went nowhere.
    let error = DispatchSemaphore(value: 0)
    BridgeDiagnostics.uncaughtErrorHandler = { _, _ in error.signal() }
    DispatchQueue.global().startCoroutine { throw Refused() }
    check(error.wait(timeout: .now() + 20) == .success, "an uncaught error")
    BridgeDiagnostics.uncaughtErrorHandler = nil
    DispatchQueue.global().startCoroutine(onError: { _ in error.signal() }) { throw Refused() }
    check(error.wait(timeout: .now() + 20) == .success, "an error with a handler")
}
