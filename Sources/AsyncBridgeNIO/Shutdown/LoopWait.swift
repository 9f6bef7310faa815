// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
public import NIOCore

/// What waits for something of an event loop.
@usableFromInline
package protocol LoopWaiter: AnyObject, Sendable {
    /// The loop was shut down, or has dropped what would have answered. Called at most once, outside every lock.
    func loopHasEnded()
}

/// A closure that is called when the loop has ended.
@usableFromInline
package final class LoopEndAction: LoopWaiter {
    private let action: @Sendable () -> Void

    @usableFromInline
    package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    @usableFromInline
    package func loopHasEnded() { self.action() }
}

/// A wait for something of an event loop, held by the closure that the loop will run.
///
/// Its waiter is told when the loop is shut down, and when the loop drops that closure.
///
/// Safe: `place` is written before the closure can run or be dropped elsewhere: before it is given away, or on the
/// loop, where it runs. It is read by the closure, or after it.
@usableFromInline
package final class LoopWait: @unchecked Sendable {
    private enum Place {
        /// Known to no loop.
        case none
        case at(LoopEnd, Int)
        /// It has its answer, or was told.
        case left
    }

    private let waiter: any LoopWaiter
    private nonisolated(unsafe) var place = Place.none

    @usableFromInline
    package init(_ waiter: any LoopWaiter) { self.waiter = waiter }

    /// Waits for the loop's end as well, unless it has its answer.
    ///
    /// - Returns: Whether the loop runs. If not, the waiter was told.
    @discardableResult
    @usableFromInline
    package func join(_ eventLoop: any EventLoop) -> Bool {
        if case .left = unsafe self.place { return true }
        guard let end = LoopEnd.of(eventLoop) else { return true }
        switch end.join(self.waiter) {
        case .wait(let number):
            unsafe self.place = .at(end, number)
            return true
        case .none:
            return true
        case .tell:
            unsafe self.place = .left
            self.waiter.loopHasEnded()
            return false
        }
    }

    /// There is an answer.
    ///
    /// - Returns: Whether it is wanted. If not, the waiter was told that the loop has ended.
    @usableFromInline
    package func leave() -> Bool {
        switch unsafe exchange(&self.place, with: .left) {
        case .none: return true
        case .left: return false
        case .at(let end, let number):
            switch end.leave(number) {
            case .release, .untold: return true
            case .told: return false
            }
        }
    }

    /// Whether the loop has ended, and the waiter was told.
    @usableFromInline package var isOver: Bool {
        switch unsafe self.place {
        case .none: false
        case .left: true
        case .at(let end, _): end.isOver
        }
    }

    /// Whether an event loop still runs, as far as it tells.
    @usableFromInline
    package static func isRunning(_ eventLoop: any EventLoop) -> Bool {
        guard let end = LoopEnd.of(eventLoop) else { return true }
        return !end.isOver
    }

    // The loop has dropped the closure.
    deinit { if self.leave() { self.waiter.loopHasEnded() } }
}

/// A waiter's place at an event loop, which the waiter itself gives up.
///
/// For a loop that will tell of its end, where ``LoopWait`` is not needed.
@usableFromInline
package struct LoopPlace: Sendable {
    private let end: LoopEnd
    private let number: Int

    /// Takes a place.
    ///
    /// - Parameters:
    ///   - eventLoop: The loop.
    ///   - waiter: Is told if the loop ends before it has left.
    /// - Returns: Nothing if the loop has ended, or does not announce its end.
    @usableFromInline
    package static func at(_ eventLoop: any EventLoop, for waiter: some LoopWaiter) -> LoopPlace? {
        guard let end = LoopEnd.of(eventLoop), case .wait(let number) = end.join(waiter) else { return nil }
        return LoopPlace(end: end, number: number)
    }

    /// Gives the place up.
    ///
    /// Call once, also after the waiter was told.
    @usableFromInline
    package func leave() { releaseHere(self.end.leave(self.number)) }
}
#endif
