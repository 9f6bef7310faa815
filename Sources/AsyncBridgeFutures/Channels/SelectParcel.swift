// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import Synchronization

/// The element that a branch sends, and a handle so that the channel cannot end meanwhile.
///
/// Why not a branch that cannot be copied: an array, or the arguments of `select`, cannot hold one. So the copies of a
/// branch share its parcel, and only the first selection gets it.
///
/// Invariant: the element is in one place: here, in the slot of an enlisted waiter, or with its next owner.
@usableFromInline
final class SelectParcel<Element> {
    // Safe: unchecked because a check costs as much as the rest; used by one selection, and no access calls other code.
    @exclusivity(unchecked) @usableFromInline var element: Disconnected<Element>?
    private let channel: ChannelStorage<Element>
    private let handle: AnyObject
    private let isInUse = Atomic(false)

    @usableFromInline
    init(_ element: Disconnected<Element>, to channel: ChannelStorage<Element>, keeping handle: AnyObject) {
        unsafe self.element = element
        self.channel = channel
        self.handle = handle
    }

    // After a selection in which another branch has happened, the caller may still hold the element.
    deinit {
        if !self.isInUse.load(ordering: .relaxed), let element = unsafe self.element {
            self.channel.dispose(of: element)
        }
    }

    /// Gives the element to a selection, for itself alone.
    @usableFromInline
    func begin() {
        guard !self.isInUse.exchange(true, ordering: .acquiringAndReleasing) else {
            fatalError(
                "A '.send' branch was used in two 'select's, or twice in one. Its element can be sent only once: make a new "
                    + "branch for each 'select'."
            )
        }
    }

    @inlinable
    func take() -> Disconnected<Element> {
        guard let element = unsafe self.element.take() else {
            preconditionFailure("BUG: a branch's element was taken twice")
        }
        return element
    }

    @inlinable
    func putBack(_ element: Disconnected<Element>) { unsafe self.element = element }
}
