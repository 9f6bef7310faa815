// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// One caller of a slot, whose steps the test takes by hand.
///
/// Holds the callers' side only, so that the slot goes away when the test drops it.
final class SlotCaller: Sendable {
    let place: Place
    let started: Log<Void>
    let stopped: Log<Void>
    let wait: HandDriven<Int>

    /// Begins; nothing runs before `wait.turn()`.
    init(
        _ waiter: ReplySlot<Int>.Waiter,
        keepingAlive object: Slot<Lifetimes.Probe>? = nil,
        timeout: BridgeTimeout? = nil,
        onStart: @escaping @Sendable () throws -> Void = {},
        onStop: @escaping @Sendable () -> Void = {}
    ) {
        // No closure below holds `self`.
        let (place, started, stopped) = (Place(), Log<Void>(), Log<Void>())
        self.place = place
        self.started = started
        self.stopped = stopped
        self.wait = HandDriven {
            try await waiter.wait(
                keepingAlive: object?.take(),
                timeout: timeout,
                fileID: Place.fileID,
                line: place.line
            ) {
                started(())
                try onStart()
            } onCancel: {
                stopped(())
                onStop()
            }
        }
    }

    /// Begins, and runs until the caller waits or has ended.
    static func come(to slot: ReplySlot<Int>) -> SlotCaller { self.come(to: slot.waiter) }

    static func come(to waiter: ReplySlot<Int>.Waiter) -> SlotCaller {
        let caller = SlotCaller(waiter)
        caller.wait.turn()
        return caller
    }

    func turn() { self.wait.turn() }

    func cancel() {
        self.wait.cancel()
        self.wait.turn()
    }

    func get() throws -> Int { try self.wait.get() }

    var hasEnded: Bool { self.wait.hasEnded }

    /// What has run of the caller's closures: `started`, `stopped`.
    var story: [String] {
        self.started.all.map { "started" } + self.stopped.all.map { "stopped" }
    }

    /// Whether the caller ended with this fault.
    func failed(with code: BridgeFault.Code) -> Bool {
        do {
            _ = try self.get()
            return false
        } catch {
            return (error as? BridgeFault)?.code == code
        }
    }

    /// Whether the caller ended with `CancellationError`.
    var wasCancelled: Bool {
        do {
            _ = try self.get()
            return false
        } catch {
            return error is CancellationError
        }
    }
}

extension ReplySlot {
    /// A slot whose reports can be told apart.
    convenience init(_ overlap: ReplyOverlap, at place: Place) {
        self.init(overlap: overlap, fileID: Place.fileID, line: place.line)
    }
}
