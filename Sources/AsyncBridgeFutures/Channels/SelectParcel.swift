// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import Synchronization

/// The element that a branch sends, and a handle so that the channel cannot end meanwhile.
///
/// Why not a branch that cannot be copied: an array, or the arguments of `select`, cannot hold one. So the copies of a
/// branch share its parcel, and only the first selection gets it.
///
/// | State    | The element                                                                | Next    |
/// |----------|----------------------------------------------------------------------------|---------|
/// | `unused` | here; undelivered when this is released                                    | `full`  |
/// | `full`   | here, for one selection; released with this, if another branch has happened | `empty` |
/// | `empty`  | in the slot of an enlisted waiter, or with its next owner                  | `full`  |
///
/// Not generic, because the `deinit` of a generic class is not specialised: only `drop` knows the element's type.
@usableFromInline
final class SelectParcel {
    private enum State: UInt8 {
        case unused
        case full
        case empty
    }

    // Safe: unchecked because a check costs as much as the rest; used by one selection, and no access calls other code.
    @exclusivity(unchecked) @usableFromInline var payload = Payload()
    // Atomic for code that shares a branch between threads, against its type.
    private let state = Atomic(State.unused.rawValue)
    @usableFromInline let channel: AnyObject
    private let handle: AnyObject
    /// Takes the element out and releases it, or gives it to `onUndelivered`; captures nothing.
    private let drop: (SelectParcel, _ isUndelivered: Bool) -> Void

    @inlinable
    convenience init<Element>(
        _ element: Disconnected<Element>,
        to channel: ChannelStorage<Element>,
        keeping handle: AnyObject
    ) {
        self.init(to: channel, keeping: handle) { parcel, isUndelivered in
            let element = unsafe parcel.payload.take(as: Disconnected<Element>.self)
            guard isUndelivered else { return }
            // Safe: the initialiser got it with this type.
            unsafe unsafeDowncast(parcel.channel, to: ChannelStorage<Element>.self).dispose(of: element)
        }
        unsafe self.payload.store(element)
    }

    @usableFromInline
    init(to channel: AnyObject, keeping handle: AnyObject, drop: @escaping (SelectParcel, Bool) -> Void) {
        self.channel = channel
        self.handle = handle
        self.drop = drop
    }

    deinit {
        switch State(rawValue: self.state.load(ordering: .relaxed)) {
        case .unused: self.drop(self, true)
        // The caller may still hold it, and send it in the next selection.
        case .full: self.drop(self, false)
        case .empty, nil: break
        }
    }

    /// Gives the element to a selection, for itself alone.
    @usableFromInline
    func begin() {
        let (isFirst, _) = self.state.compareExchange(
            expected: State.unused.rawValue,
            desired: State.full.rawValue,
            ordering: .acquiringAndReleasing
        )
        guard isFirst else {
            fatalError(
                "A '.send' branch was used in two 'select's, or twice in one. Its element can be sent only once: make "
                    + "a new branch for each 'select'."
            )
        }
    }

    @inlinable
    func take<Element>(as _: Element.Type = Element.self) -> Disconnected<Element> {
        self.note(isFull: false)
        return unsafe self.payload.take()
    }

    @inlinable
    func putBack<Element>(_ element: Disconnected<Element>) {
        unsafe self.payload.store(element)
        self.note(isFull: true)
    }

    @usableFromInline
    func note(isFull: Bool) {
        self.state.store((isFull ? State.full : State.empty).rawValue, ordering: .relaxed)
    }
}
