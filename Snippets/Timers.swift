// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Timers".

// snippet.IMPORTS
import AsyncBridge  // withCallback, CallbackSequence
import AsyncBridgeFoundation  // ticks
import AsyncBridgeFutures  // select, CoChannel
import Coroutines  // withCoroutine, Coroutine.delay
import Foundation  // RunLoop, and Dispatch
// snippet.end
import Synchronization

func every() async throws {
    var ticks = 0
    // snippet.EVERY
    for try await _ in DispatchSource.ticks(every: .milliseconds(10)) {
        refresh()
        ticks += 1
        if ticks == 3 { break }
    }
    // snippet.end
}

func onALoop() async throws {
    // snippet.LOOP
    for try await moment in RunLoop.main.ticks(every: 0.1) { show(moment) }
    // snippet.end
}

func timeout(oracle: Oracle) async {
    // snippet.TIMEOUT
    do {
        show(try await withCallback(timeout: .milliseconds(20)) { oracle.ask(reply: $0.handler()) })
    } catch BridgeFault.timedOut {
        show("no answer")
    } catch {
        show(error)
    }
    // snippet.end
}

func inACoroutine() async throws {
    // snippet.COROUTINE
    let text = try await withCoroutine {
        try Coroutine.delay(.milliseconds(10))
        return "after the delay"
    }
    // snippet.end
    show(text)
}

func firstOf(_ answers: CoChannel<String>) async throws {
    // snippet.SELECT
    let answer = try await select(
        .receive(from: answers) { $0 },
        .after(.milliseconds(20)) { "no answer" }
    )
    // snippet.end
    show(answer)
}

// snippet.TIMER
func ticks(of clock: OldClock) -> CallbackSequence<Int, any Error> {
    CallbackSequence(buffering: .newest(capacity: 1)) { sink in
        let alarm = clock.schedule(every: 0.01, block: sink.handler())
        return { alarm.invalidate() }
    }
}
// snippet.end

func run() async throws {
    try await every()
    await timeout(oracle: Oracle())
    try await inACoroutine()
    let answers = CoChannel<String>()
    try await firstOf(answers)
    for try await tick in ticks(of: OldClock()) {
        show("tick \(tick)")
        break
    }
}
try await run()

// snippet.hide
// MARK: - Stand-ins

/// A service that never answers.
final class Oracle: Sendable {
    private let replies = Mutex<[@Sendable (String?, (any Error)?) -> Void]>([])

    func ask(reply: @escaping @Sendable (String?, (any Error)?) -> Void) { self.replies.withLock { $0.append(reply) } }
}

final class OldClock: Sendable {
    final class Alarm: Sendable {
        let block: @Sendable (Int) -> Void

        init(_ block: @escaping @Sendable (Int) -> Void) { self.block = block }

        func invalidate() { print("the timer has stopped") }
    }

    func schedule(every seconds: Double, block: @escaping @Sendable (Int) -> Void) -> Alarm {
        block(1)
        return Alarm(block)
    }
}

func refresh() { print("refreshed") }

func show(_ something: Any) { print(something) }
