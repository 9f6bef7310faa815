// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Something with a lock and queues of waiters, in which a branch of a `select` waits.
///
/// Several are locked at once, in the order of their addresses, so that no two selections wait for each other's locks.
protocol SelectPlace: AnyObject {
    /// Calls a closure with the lock held.
    func whileLocked(_ body: () -> Void)
}

/// What is to be done after all locks have been left.
struct SelectDuties {
    var waking: [ParkerReference] = []
    var disposing: [() -> Void] = []

    consuming func perform() {
        for party in self.waking { party.wake() }
        for dispose in self.disposing { dispose() }
    }
}

/// One branch of one `select`: used once, by one party.
///
/// | When                            | What is called                                                          |
/// |---------------------------------|-------------------------------------------------------------------------|
/// | first                           | ``happensNow()`` of one branch after the other, until one says yes       |
/// | none did, and there is no default | ``prepare()`` of each                                                    |
/// | all places are locked           | ``happensLocked(_:)`` of each; if none says yes, ``enlist(_:)`` of each  |
/// | the party has been woken        | ``withdraw()`` of each                                                  |
/// | at the end                      | ``finish()`` of each, and ``result()`` of the one that has happened       |
///
/// Not generic, so that what a selection does with many of them is compiled once, and for this type.
@usableFromInline
class AnySelectCase {
    /// Where it waits; nothing for a default.
    var place: (any SelectPlace)? { nil }

    /// Makes it happen, if that is possible without waiting.
    func happensNow() -> Bool { false }

    /// Gets ready to wait.
    func prepare() {}

    /// Makes it happen, if that is possible without waiting, now that all places are locked.
    func happensLocked(_ duties: inout SelectDuties) -> Bool { false }

    /// Enlists the party, which has begun to wait, now that all places are locked.
    func enlist(_ waiter: WaiterReference) {}

    /// Takes the party out, if it is enlisted.
    ///
    /// - Returns: Whether this is what has happened.
    func withdraw() -> Bool { false }

    /// The selection is over.
    func finish() {}

    /// Whether it happens only if nothing else can at once.
    var isDefault: Bool { false }

    /// Disposes of what has happened: nobody is left to hear of it.
    func dispose() {}

    /// Room for what the branch hands over; nothing if it hands nothing over.
    func makeSlot() -> UnsafeMutableRawPointer? { nil }

    func freeSlot(_: UnsafeMutableRawPointer) {}
}

/// A branch, and what the user's closure makes of it.
@usableFromInline
class SelectCase<Output>: AnySelectCase {
    /// What the user's closure makes of what has happened.
    @usableFromInline
    func result() throws -> Output { preconditionFailure("BUG: a branch of no kind") }
}
