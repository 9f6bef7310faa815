// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Keeps a delegate's answers from arriving after the transfer's cancellation.
///
/// Race: on Linux a transfer that meets a redirect, or a response, waits for its delegate's completion handler. If it
/// is cancelled meanwhile, it waits no longer, and a completion handler that is called then ends the process: "Received
/// callback for HTTP redirection, but we're not waiting for it". Both only add work to a serial queue of the task, so
/// their order is what counts: an answer is given before the cancellation, or not at all.
final class TransferGate: Sendable {
    private let isCut = Mutex(false)

    /// Answers the transfer, unless it was cancelled before.
    ///
    /// - Parameter answer: Calls a completion handler of Foundation's, which only adds work to a queue.
    func answer(_ answer: () -> Void) {
        self.isCut.withLock { isCut in
            if !isCut { answer() }
        }
    }

    /// Cancels the transfer: no answer comes after that.
    ///
    /// - Parameter cancel: Cancels it. Called outside the lock.
    func cut(_ cancel: () -> Void) {
        self.isCut.withLock { $0 = true }
        cancel()
    }
}
