// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridgeCore

/// A send that must wait for subscribers without room, as the sender sees it.
@usableFromInline
package struct BlockedBroadcast<Element: Sendable>: Sendable {
    package let tally: BroadcastTally
    private let waiters: [BroadcastWaiter<Element>]
    private let broadcast: BroadcastStorage<Element>

    package var made: CallSite { self.broadcast.made }

    init(_ tally: BroadcastTally, _ waiters: [BroadcastWaiter<Element>], in broadcast: BroadcastStorage<Element>) {
        self.tally = tally
        self.waiters = waiters
        self.broadcast = broadcast
        tally.begin(waiters.count)
    }

    // MARK: In a task

    /// Waits until all subscribers are settled, or the task is cancelled.
    @usableFromInline
    nonisolated(nonsending) func wait() async throws {
        await self.park()
        try self.finish()
    }

    package nonisolated(nonsending) func park() async {
        if CurrentTask.isCancelled { return }
        let parker = TaskParker()
        // The tally does not count its reference to the parker, which must live until it has left.
        defer { withExtendedLifetime(parker) { self.tally.leave() } }
        switch self.tally.enlist(ParkerReference(parker)) {
        case .over, .cancelled: return
        case .enlisted: await parker.suspend("CoBroadcast.send", made: self.made)
        }
    }

    // MARK: The end

    /// The sender stops waiting: takes the element back from the subscribers that have not taken it.
    package func finish() throws {
        if !self.tally.isOver {
            let outcomes = self.withdraw()
            if outcomes.contains(.withdrawn) { throw CancellationError() }
            // Race: the last of them were claimed while the sender was cancelled, and are about to be settled.
            if outcomes.contains(.ended) { throw self.broadcast.endError }
        }
        if self.tally.wasClosed { throw self.broadcast.endError }
    }

    func withdraw() -> [BroadcastWaiter<Element>.Outcome] { self.waiters.map { $0.giveUp() } }

    /// Takes the element back from the subscribers that have not taken it yet: the sender stops waiting.
    package func giveUp() { _ = self.withdraw() }
}
