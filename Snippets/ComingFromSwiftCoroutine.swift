// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Coming from SwiftCoroutine".

import Dispatch
import SwiftCoroutine
import Synchronization

func actors() {
    // snippet.ACTOR
    enum Message: Sendable {
        case increment
        case get(CoPromise<Int>)
    }

    let counter = DispatchQueue.global().actor(of: Message.self) { messages in
        var count = 0
        while let message = try messages.awaitNext() {
            switch message {
            case .increment: count += 1
            case .get(let promise): promise.success(count)
            }
        }
    }
    counter.offer(.increment)
    // snippet.end
}

func errors(of future: CoFuture<Int>) throws -> Int {
    // snippet.CATCH
    do {
        return try future.await(timeout: .seconds(1))
    } catch CoFutureError.canceled {
        return 0
    } catch CoFutureError.timeout {
        return -1
    }
    // snippet.end
}

func compared(_ error: any Error) -> String {
    // snippet.SWITCH
    switch error {
    case CoFutureError.canceled: return "cancelled"
    case CoFutureError.timeout: return "too late"
    default: return "\(error)"
    }
    // snippet.end
}

func received(from channel: CoChannel<Int>) {
    // snippet.RECEIVE
    channel.whenReceive { result in
        switch result {
        case .success(let element): print(element)
        case .failure(CoChannelError.closed): print("closed")
        case .failure(let error): print(error is CancellationError ? "cancelled" : "\(error)")
        }
    }
    // snippet.end
}

func loop(over channel: CoChannel<Int>) -> CoroutineHandle {
    DispatchQueue.global().startCoroutine {
        // snippet.LOOP
        while let element = try channel.awaitNext() { print(element) }
        // snippet.end
    }
}

func elsewhere(quote: CoFuture<String>) -> CoroutineHandle {
    DispatchQueue.global().startCoroutine {
        // snippet.ELSEWHERE
        let length = try DispatchQueue.main.coroutineFuture { try quote.await().count }.await()
        // snippet.end
        print(length)
    }
}

func result(of task: Int, promise: CoPromise<Int>, queue: DispatchQueue) {
    // snippet.UNUSED
    queue.sync { _ = promise.success(task) }
    // snippet.end
}

func method(channel: CoChannel<Int>) throws {
    // snippet.METHOD
    try (0..<3).forEach { try channel.awaitSend($0) }
    // snippet.end
}

func handled(queue: DispatchQueue, future: CoFuture<Int>, logger: Logger) -> CoroutineHandle {
    // snippet.ONERROR
    queue.startCoroutine(onError: { logger.error("\($0)") }) { print(try future.await()) }
    // snippet.end
}

// snippet.SCHEDULER
extension Context: CoroutineScheduler {
    func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.perform(task) }
}
// snippet.end

// snippet.CALLBACK
func number(then callback: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.global().async { callback(42) }
}
// snippet.end

// snippet.GENERIC
func inBackground<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) -> CoFuture<Value> {
    DispatchQueue.global().coroutineFuture(work)
}
// snippet.end

// snippet.VALUE
struct Page: Sendable {
    var title: String
}
// snippet.end

func pages() -> CoFuture<Page> { CoFuture(result: .success(Page(title: "Home"))) }

@MainActor
func show(label: Label) -> CoroutineHandle {
    // snippet.MAINACTOR
    MainActor.startCoroutine { label.text = try pages().await().title }
    // snippet.end
}

func count(channel: CoChannel<Int>) -> CoFuture<Int> {
    // snippet.CAPTURE
    let count = DispatchQueue.global().coroutineFuture {
        var count = 0
        while let element = try channel.awaitNext() { if element > 0 { count += 1 } }
        return count
    }
    // snippet.end
    return count
}

// snippet.CANCELLABLE
final class Request: CoCancellable {
    private let end = CoPromise<Void>()

    func cancel() { self.end.success(()) }

    func whenComplete(_ callback: @escaping @Sendable () -> Void) { self.end.whenComplete(callback) }
}
// snippet.end

let cancelled = CoPromise<Int>()
cancelled.cancel()
let caught = try await withCoroutine { try errors(of: cancelled) }
precondition(caught == 0)
precondition(compared(CoFutureError.canceled) == "cancelled")
precondition(compared(CoFutureError.timeout) == "too late")

let channel = CoChannel<Int>()
received(from: channel)
channel.offer(1)
let counted = count(channel: channel)
try await withCoroutine { try method(channel: channel) }
channel.close()
let positive = try await counted.value
precondition(positive == 2)
await loop(over: channel).finished()
await elsewhere(quote: CoFuture(result: .success("quote"))).finished()

let promise = CoPromise<Int>()
result(of: 1, promise: promise, queue: DispatchQueue(label: "results"))
let one = try await promise.value
precondition(one == 1)

let logger = Logger()
await handled(queue: .global(), future: cancelled, logger: logger).finished()
precondition(logger.errors.withLock { $0.count } == 1)
await Context().startCoroutine { print(try Coroutine.await(number)) }.finished()
let two = try await inBackground { 2 }.value
precondition(two == 2)
let label = Label()
await show(label: label).finished()
precondition(label.text == "Home")

let scope = CoScope()
let request = Request().added(to: scope)
scope.cancel()
await withCheckedContinuation { ended in request.whenComplete { ended.resume() } }

// snippet.hide
// MARK: - Stand-ins

final class Context: Sendable {
    private let queue = DispatchQueue(label: "context")

    func perform(_ block: @escaping @Sendable () -> Void) { self.queue.async(execute: block) }
}

@MainActor
final class Label {
    var text = ""
}

final class Logger: Sendable {
    let errors = Mutex<[String]>([])

    func error(_ message: String) { self.errors.withLock { $0.append(message) } }
}
