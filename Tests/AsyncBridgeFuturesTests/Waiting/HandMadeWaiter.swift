// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Synchronization

/// A waiter without a thread, which stands in one queue at a time and says what becomes of it.
///
/// Safe: its waiter and its slot are its own, and it is used on one thread.
@safe
final class HandMadeWaiter: _Parker, @unchecked Sendable {
    let name: Int
    private let memory = WaiterMemory<Int>()
    private(set) var comebacks = 0

    init(_ name: Int = 0) {
        self.name = name
        super.init()
        self.memory.enter(as: self)
    }

    deinit { self.memory.free() }

    var reference: WaiterReference { self.memory.waiter }

    override func unpark() { self.comebacks += 1 }

    /// What lies in the slot, which is empty then; an `Int` needs no end.
    var element: Int { self.reference.empty() }

    var outcome: Waiter.Outcome { self.reference.outcome }

    var isEnlisted: Bool { unsafe self.reference.address.pointee.isEnlisted }

    /// One that lives until the process ends.
    ///
    /// Machines do not count their references: an optimised test releases a waiter of its own after it has used it
    /// last.
    static func kept(_ name: Int = 0) -> HandMadeWaiter {
        let waiter = HandMadeWaiter(name)
        Self.all.withLock { $0.append(waiter) }
        return waiter
    }

    private static let all = Mutex<[HandMadeWaiter]>([])

    /// A waiter that has been told to go away before it waits.
    static func cancelled(_ name: Int = 0) -> HandMadeWaiter {
        let waiter = HandMadeWaiter.kept(name)
        waiter.cancelWait()
        return waiter
    }
}

extension ParkerReference {
    /// The waiter, which was made by hand.
    var handMade: HandMadeWaiter {
        // Safe: the tests have no waiters of another kind, and keep them all.
        unsafe self.parker._withUnsafeGuaranteedRef { unsafeDowncast($0, to: HandMadeWaiter.self) }
    }
}

extension WaiterQueue {
    /// The names of those who stand in it, oldest first.
    var names: [Int] {
        var names: [Int] = []
        var next = self.first
        while let waiter = next {
            names.append(waiter.parker.handMade.name)
            next = unsafe waiter.address.pointee.next
        }
        return names
    }

    /// The same, read from the other end.
    var namesBackwards: [Int] {
        var names: [Int] = []
        var previous = self.last
        while let waiter = previous {
            names.append(waiter.parker.handMade.name)
            previous = unsafe waiter.address.pointee.previous
        }
        return names
    }
}
