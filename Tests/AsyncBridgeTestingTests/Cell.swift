// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// A continuation that a wrong bridge may resume as often as it likes: only the first time counts.
final class Cell: Sendable {
    typealias Answer = Result<Int, any Error>

    struct State {
        var continuation: CheckedContinuation<Answer, Never>?
        var early: Answer?
        var isOver = false
    }

    private let state = Mutex(State())

    func store(_ continuation: CheckedContinuation<Answer, Never>) {
        let early = self.state.withLock { state in
            if state.early == nil { state.continuation = continuation }
            return state.early
        }
        if let early { continuation.resume(returning: early) }
    }

    func resume(_ answer: Answer) {
        let continuation = self.state.withLock { state in
            guard !state.isOver else { return nil as CheckedContinuation<Answer, Never>? }
            state.isOver = true
            state.early = answer
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: answer)
    }
}

/// What most code does with `withCheckedThrowingContinuation`, but a second resumption does not end the process.
func withCell(_ start: (Cell) -> Void) async -> Cell.Answer {
    let cell = Cell()
    return await withCheckedContinuation { continuation in
        cell.store(continuation)
        start(cell)
    }
}
