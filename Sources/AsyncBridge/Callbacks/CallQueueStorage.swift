// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The lock around the machine of a queue of calls, and the actions that follow from its decisions.
final class CallQueueStorage: Sendable {
    private let machine = Mutex(CallQueueStateMachine<CallTurn.Waiter>())

    /// Puts a call at the end of the line.
    func enter() -> CallTurn { CallTurn(number: self.machine.withLock { $0.enter() }, queue: self) }

    fileprivate func wait(_ waiter: CallTurn.Waiter, of number: UInt64) {
        switch self.machine.withLock({ $0.wait(waiter, of: number) }) {
        case .start(let waiter), .cancel(let waiter): waiter.resume()
        case .keep: break
        }
    }

    fileprivate func cancel(_ number: UInt64) {
        switch self.machine.withLock({ $0.cancel(number) }) {
        case .cancel(let waiter): waiter.resume()
        case .ignore: break
        }
    }

    fileprivate func end(_ number: UInt64) {
        switch self.machine.withLock({ $0.end(number) }) {
        case .start(let waiter): waiter.resume()
        case .ignore: break
        }
    }
}

/// The place of one call in the line.
struct CallTurn: Sendable {
    fileprivate let number: UInt64
    fileprivate let queue: CallQueueStorage

    /// Returns in the task of the call, when it is its turn or the task is cancelled.
    func comes() async {
        await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in
                self.queue.wait(unsafe Waiter(continuation), of: self.number)
            }
        } onCancel: {
            self.queue.cancel(self.number)
        }
    }

    /// The call is over: the next one has the turn.
    func end() { self.queue.end(self.number) }
}

extension CallTurn {
    /// The continuation of a call that waits for its turn, wrapped so that its unsafety stays here.
    ///
    /// Safe: the machine gives it to exactly one event, which resumes it.
    @safe
    struct Waiter: Sendable {
        private let continuation: UnsafeContinuation<Void, Never>

        init(_ continuation: UnsafeContinuation<Void, Never>) { unsafe self.continuation = continuation }

        func resume() { unsafe self.continuation.resume() }
    }
}
