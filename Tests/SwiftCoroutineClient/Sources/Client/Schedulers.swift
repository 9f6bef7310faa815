// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

/// A context that runs closures one at a time, as that of a database does.
final class Context: @unchecked Sendable {
    private let queue = DispatchQueue(label: "context")

    #if swift(>=6)
    func perform(_ block: @escaping @Sendable () -> Void) { self.queue.async { block() } }
    #else
    func perform(_ block: @escaping () -> Void) { self.queue.async { block() } }
    #endif

    func fetch(_ request: String) throws -> [String] {
        dispatchPrecondition(condition: .onQueue(self.queue))
        return [request]
    }
}

extension Context: CoroutineScheduler {
    #if swift(>=6)
    func scheduleTask(_ task: @escaping @Sendable () -> Void) {
        perform(task)
    }
    #else
    func scheduleTask(_ task: @escaping () -> Void) {
        perform(task)
    }
    #endif
}

/// The same in both modes: it runs the closure itself.
struct AtOnce: CoroutineScheduler {
    func scheduleTask(_ task: @escaping () -> Void) { task() }
}

/// A message for the actor.
enum CounterMessage {
    case increment
    case get(CoPromise<Int>)
}

func computation() throws -> Int { 6 * 7 }

func checkSchedulers() {
    let context = Context()
    let counter = Counter()
    inCoroutine {
        let result = try context.await { try context.fetch("request") }
        check(result, is: ["request"], "a closure on another scheduler")
        check(try DispatchQueue.global().await(computation), is: 42, "a function on another scheduler")
        check(try DispatchQueue.global().await { "text" }, is: "text", "a closure on a queue")
        do {
            try DispatchQueue.global().await { throw Refused() }
            check(false, "the closure's error must be thrown")
        } catch is Refused {
            // As it should.
        }
        check(
            try DispatchQueue.global().await { try context.coroutineFuture(computation).await() },
            is: 42,
            "a closure on a queue that waits"
        )
        check(try context.coroutineFuture { try computation() }.await(), is: 42, "a future on a scheduler of one's own")
        check(try context.coroutineFuture(computation).await(), is: 42, "a future of a function")
    }

    context.startCoroutine {
        try Coroutine.delay(.milliseconds(1))
        counter.note("\(try context.fetch("after a wait"))")
    }
    counter.wait(for: 1)

    let code: Code = { counter.note("code") }
    DispatchQueue.global().startCoroutine(task: code)
    counter.wait(for: 2)

    AtOnce().startCoroutine { counter.note("at once") }
    check(counter.events.count, is: 3, "a scheduler that runs closures at once")

    // A coroutine on the other queue that is waited for in this one.
    let scope = CoScope()
    DispatchQueue.global().startCoroutine(in: scope) {
        defer { counter.note("unwound") }
        try Coroutine.delay(.seconds(3600))
    }
    DispatchQueue.global().startCoroutine(in: nil, task: code)
    counter.wait(for: 4)
    scope.cancel()
    counter.wait(for: 5)

    let actor = DispatchQueue.global().actor(of: CounterMessage.self) { receiver in
        var count = 0
        for message in receiver.makeIterator() {
            switch message {
            case .increment:
                count += 1
            case .get(let promise):
                promise.success(count)
            }
        }
        counter.note("mailbox closed")
    }
    DispatchQueue.concurrentPerform(iterations: 1000) { _ in
        actor.offer(.increment)
    }
    let promise = CoPromise<Int>()
    actor.offer(.get(promise))
    actor.close()
    inCoroutine { check(try promise.await(), is: 1000, "the actor's count") }
    counter.wait(for: 6)

    let bounded: CoChannel<Int>.Sender = context.actor(bufferType: .buffered(capacity: 2)) { receiver in
        defer { counter.note("cancelled") }
        while true { counter.note("received \(try receiver.awaitReceive())") }
    }
    check(bounded.bufferType == .buffered(capacity: 2), "the mailbox's buffer")
    bounded.offer(1)
    counter.wait(for: 7)
    bounded.cancel()
    counter.wait(for: 8)
    check(counter.events.suffix(2), is: ["received 1", "cancelled"], "cancelling the mailbox cancels the coroutine")
}
