// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import CCoroutines

/// The wait of a coroutine on a scheduler for a callback: on its stack while it is suspended.
struct CallbackWait {
    let wait: OneShotWait
    /// Given up by the driver, when the coroutine has left its stack.
    let answerers: AnswerersReference
    /// What cancelling the coroutine does instead of ending the wait.
    let cancel: (@Sendable () -> Void)?

    /// The pending wait of a suspended coroutine.
    static func pending(of block: UnsafeMutablePointer<ccoro_block>) -> CallbackWait {
        guard let address = unsafe block.pointee.operation else {
            preconditionFailure("BUG: a coroutine waits for no callback")
        }
        // Safe: `awaitAnswer` put it there, and is suspended.
        return unsafe address.assumingMemoryBound(to: CallbackWait.self).pointee
    }
}

extension RunningCoroutine {
    /// Waits for a late answer, in a coroutine on a scheduler.
    ///
    /// Not generic, so that it is compiled once, here.
    ///
    /// - Parameters:
    ///   - answerers: The waiter's reference to the answerers' half, given up when the wait begins.
    ///   - bridge: The bridge that waits, for the list of pending waits and for reports.
    ///   - timeout: When to give up.
    ///   - cancel: What cancelling the coroutine does instead of ending the wait; the answer must come then.
    /// - Returns: Where the answer is, or why there is none. Ask ``checkUnwinding()`` when it has been taken.
    @usableFromInline
    func awaitAnswer(
        _ answerers: AnswerersReference,
        _ bridge: StaticString,
        _ timeout: BridgeTimeout? = nil,
        cancel: (@Sendable () -> Void)? = nil
    ) -> LateAnswer {
        assert(!self.isUnwinding, "BUG: a coroutine waits while it is unwound")
        switch answerers.beginWait(bridge) {
        case .answered(let answer):
            return answer
        case .late(let wait):
            let entry = PendingWaits.enter(bridge, made: wait.made)
            let timer = timeout?.begin(wait, resumesOthersCode: self.parker?.resumesOthersCode ?? false)
            var pending = CallbackWait(wait: wait, answerers: answerers, cancel: cancel)
            unsafe withUnsafeMutablePointer(to: &pending) { pending in
                unsafe self.block.pointee.operation = UnsafeMutableRawPointer(pending)
                unsafe ccoro_suspend(self.block, .callback)
            }
            timer?.cancel()
            entry?.leave()
            return wait.conclude(wait.wake)
        }
    }
}
