// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The operations that a selection asks of a branch.
///
/// | When                              | What                                                                         |
/// |-----------------------------------|------------------------------------------------------------------------------|
/// | first                             | `begin` of each                                                              |
/// | then                              | each branch is run without a waiter, until one happens                       |
/// | none did, and there is no default | `prepare` of each                                                            |
/// | then                              | `lock` of each queue, in the order of the addresses                          |
/// | all queues are locked             | `attempt` of each; if none happens, `enlist` of each                         |
/// | then                              | `unlock` of each queue; `settle` of what has happened, or `start` of each    |
/// | the selection has been woken      | `withdraw` of each                                                           |
/// | at the end                        | what has happened is run with its waiter, or gets `discard`; `finish`        |
/// | none has happened                 | `abandon` of each                                                            |
@usableFromInline
enum SelectOperation: UInt8 {
    /// Takes what the branch carries for this selection alone; see ``SelectTraits/carries``. Called without a waiter.
    case begin
    /// Gets ready to wait. The answer is the address of the queue to lock, or ``SelectAnswer/no`` for none.
    case prepare
    case lock
    case unlock
    /// Happens, if that is possible without waiting; the result is then in the waiter.
    case attempt
    /// Enlists the waiter.
    case enlist
    /// Does the rest after the locks, when the answer to an attempt was ``SelectAnswer/yesAndReplaced``.
    case settle
    /// Enlists the waiter where that needs no lock of the selection; see ``SelectTraits/starts``.
    case start
    /// Takes the waiter out. The answer is whether this branch has happened.
    case withdraw
    /// The branch has happened, but its result is no longer needed.
    case discard
    /// The selection has ended without a branch; see ``SelectTraits/carries``. Called without a waiter.
    case abandon
    /// The selection is over; see ``SelectTraits/finishes``.
    case finish
}

/// What a branch answers to a ``SelectOperation``.
@usableFromInline
struct SelectAnswer: Equatable {
    @usableFromInline let word: UInt

    @inlinable
    init(word: UInt) { self.word = word }

    @inlinable static var no: SelectAnswer { SelectAnswer(word: 0) }
    @inlinable static var yes: SelectAnswer { SelectAnswer(word: 1) }
    /// It has happened, and the slot holds an element that it has replaced.
    @inlinable static var yesAndReplaced: SelectAnswer { SelectAnswer(word: 2) }

    /// It has happened, and this parker is to be woken after the locks.
    @inlinable
    static func yes(wake parker: ParkerReference?) -> SelectAnswer {
        guard let parker else { return .yes }
        return SelectAnswer(word: UInt(bitPattern: unsafe parker.parker.toOpaque()))
    }

    /// The parker to be woken.
    ///
    /// Safe: the address is that of an object, and so neither 1 nor 2; it is still claimed.
    var parker: ParkerReference? {
        guard self.word > 2, let address = unsafe UnsafeRawPointer(bitPattern: self.word) else { return nil }
        return unsafe ParkerReference(Unmanaged.fromOpaque(address))
    }

    @inlinable
    static func address(of selectable: AnyObject) -> SelectAnswer {
        SelectAnswer(word: UInt(bitPattern: ObjectIdentifier(selectable)))
    }
}

/// The special traits of a branch.
@usableFromInline
struct SelectTraits: OptionSet {
    @usableFromInline let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It happens only if no other branch is possible at once.
    @inlinable static var isDefault: SelectTraits { SelectTraits(rawValue: 1) }
    /// It carries an element that must be neither lost nor sent twice: `begin` and `abandon` are for it.
    @inlinable static var carries: SelectTraits { SelectTraits(rawValue: 2) }
    /// It waits for something that is not locked with the rest: `start` is for it.
    @inlinable static var starts: SelectTraits { SelectTraits(rawValue: 4) }
    /// It has something to end: `finish` is for it.
    @inlinable static var finishes: SelectTraits { SelectTraits(rawValue: 8) }
}
