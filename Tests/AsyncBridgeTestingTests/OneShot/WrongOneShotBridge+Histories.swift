// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

// Bridges whose mistake no scenario shows, since it takes several calls, or several events inside one.

extension WrongOneShotBridge {
    static let histories = "calls, answers and cancellations come in random order"

    static let ofHistories: [WrongOneShotBridge] = [
        WrongOneShotBridge(
            "gives a cancelled call's late answer to the next call",
            promises: .wrong.with {
                $0.takesOverlappingCalls = false
                // What is in the slot is kept until the next call.
                $0.detectsDrops = false
            },
            breaks: [(.once, Self.histories)],
            answersWhoeverWaits()
        ),
        forgettingAllHandles(),
        WrongOneShotBridge(
            "numbers its calls by how many wait",
            breaks: [(.cancellation, Self.histories)],
            usingTable(number: \.handles.count) { table, number in table.handles[number] = nil }
        ),
        WrongOneShotBridge(
            "forgets an answer of start if the task is cancelled before start is over",
            promises: .wrong.with { $0.handsBackLateValues = true },
            breaks: [(.once, Self.histories)]
        ) { source in
            try await withCallback(onUndelivered: { source.takeBack($0) }) { callback in
                let relay = Relay()
                let handle = source.start { relay.pass($0) }
                relay.open(callback)
                return handle
            } onCancel: {
                $0.cancel()
            }
        },
        WrongOneShotBridge(
            "starts the work under a recursive lock that its handler takes",
            breaks: [(.noLocks, Self.histories)]
        ) { source in
            let lock = RecursiveLock()
            return try await withCallback { callback in
                lock.locked { source.start { answer in lock.locked { _ = callback.resume(with: answer) } } }
            } onCancel: {
                $0.cancel()
            }
        },
    ]

    /// All calls of this one share a table: two tests at the same time would disturb each other.
    static func forgettingAllHandles() -> WrongOneShotBridge {
        WrongOneShotBridge(
            "forgets all handles when one call ends",
            breaks: [(.cancellation, Self.histories)],
            usingTable { table, _ in table.handles.removeAll() }
        )
    }

    private static func answersWhoeverWaits() -> Bridge {
        let waiting = Mutex<Callback<Int, any Error>?>(nil)
        return { source in
            try await withCallback { callback in
                waiting.withLock { $0 = callback }
                return source.start { answer in waiting.withLock { $0 }?.resume(with: answer) }
            } onCancel: {
                $0.cancel()
            }
        }
    }
}

/// The handles of a client's requests, by number.
struct HandleTable {
    var handles: [Int: SourceHandle] = [:]
    var begun = 0

    /// A number that no other request has ever had.
    var unique: Int {
        mutating get {
            self.begun += 1
            return self.begun
        }
    }
}

/// A bridge whose calls share a table, which is right if each call takes out what it has put in.
func usingTable(
    number makeNumber: @escaping @Sendable (inout HandleTable) -> Int = { $0.unique },
    end: @escaping @Sendable (inout HandleTable, Int) -> Void
) -> WrongOneShotBridge.Bridge {
    let shared = SharedTable()
    return { source in
        let number = Mutex<Int?>(nil)
        defer { if let number = number.withLock({ $0 }) { shared.change { end(&$0, number) } } }
        return try await withCallback { callback in
            // The handler may be called before the handle is there.
            let handle = source.start(callback.handler())
            let mine = shared.change { table in
                let number = makeNumber(&table)
                table.handles[number] = handle
                return number
            }
            number.withLock { $0 = mine }
            return mine
        } onCancel: { number in
            shared.change { $0.handles[number] }?.cancel()
        }
    }
}

private final class SharedTable: Sendable {
    private let table = Mutex(HandleTable())

    func change<Result: Sendable>(_ body: (inout HandleTable) -> Result) -> Result {
        self.table.withLock { body(&$0) }
    }
}

/// Keeps the answer until it may pass it on, and then forgets it if the task is cancelled.
final class Relay: Sendable {
    struct State {
        var callback: Callback<Int, any Error>?
        var early: Result<Int, any Error>?
    }

    private let state = Mutex(State())

    func pass(_ answer: Result<Int, any Error>) {
        let callback = self.state.withLock { state in
            if state.callback == nil, state.early == nil { state.early = answer }
            return state.callback
        }
        callback?.resume(with: answer)
    }

    func open(_ callback: Callback<Int, any Error>) {
        let early = self.state.withLock { state in
            state.callback = callback
            return state.early
        }
        if let early, !Task.isCancelled { callback.resume(with: early) }
    }
}

/// A lock that the thread that has it may take again.
final class RecursiveLock: Sendable {
    private struct State {
        var owner: ThreadID?
        var depth = 0
    }

    private let state = Monitor(State())

    func locked<Result>(_ body: () -> Result) -> Result {
        let _: Void = self.state.wait { state in
            guard state.owner == nil || state.owner == .current else { return nil }
            state.owner = .current
            state.depth += 1
            return ()
        }
        defer {
            self.state.update { state in
                state.depth -= 1
                if state.depth == 0 { state.owner = nil }
            }
        }
        return body()
    }
}
