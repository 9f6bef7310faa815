// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import Synchronization

/// A waiter for channels, futures and locks: a coroutine on a scheduler, a task, or a callback.
///
/// Public because the engine is another module, and Swift lets no other module subclass a `package` class. It is of no
/// use to other code.
///
/// Lock-free because a lock would be taken four times for each element of a channel (`Benchmarks/README.md`,
/// "futures"). The table of ``ParkState`` lists the allowed transitions.
///
/// Safe: its one property is atomic; so are those of its subclasses, or they say why not.
open class _Parker: @unchecked Sendable {
    private let word = Atomic<UInt>(ParkState(.running).rawValue)

    /// Makes a parker that does not wait.
    public init() {}

    /// Resumes the waiter on a thread: for subclasses to define, and for this class to call.
    ///
    /// As soon as the waiter runs again, it may end and release this object, unless the subclass keeps it.
    open func unpark() { preconditionFailure("BUG: abstract method not overridden") }

    /// Whether ``unpark()`` may run code that is not this package's, and takes long: a scheduler's, or the waiter's.
    ///
    /// Then the thread of the timers hands its work over first. Asked by the waiter itself, before it parks.
    open var resumesOthersCode: Bool { false }

    /// Suspends the calling coroutine, which is this waiter, until its wait for a channel is over: for subclasses to
    /// define.
    ///
    /// It is enlisted there.
    ///
    /// - Parameter site: Where the channel was made.
    /// - Returns: False if the coroutine was abandoned meanwhile: it is being unwound.
    open func suspend(forChannelMadeAt site: BridgeDiagnostics.CallSite) -> Bool {
        preconditionFailure("BUG: abstract method not overridden")
    }

    /// Runs a closure on another stack, where this waiter's own code runs: for subclasses to define.
    open func runElsewhere(_ closure: @escaping @Sendable () -> Void) {
        preconditionFailure("BUG: abstract method not overridden")
    }

    // MARK: For the waiter itself

    /// Begins a wait.
    ///
    /// Called before it is enlisted anywhere, under the lock of what it waits for.
    ///
    /// - Returns: False if it was cancelled: it must not be enlisted.
    @usableFromInline
    package final func begin() -> Bool { self.apply { $0.begin() } }

    /// Parks the waiter, unless its wait is over.
    ///
    /// - Returns: Whether it must stay parked until ``unpark()`` is called. Otherwise its wait is over already.
    package final func park() -> Bool { self.apply { $0.park() } }

    /// Makes what was written before ``wake()`` visible.
    final func synchronizeWithWake() { _ = self.word.load(ordering: .acquiring) }

    @usableFromInline package final var isCancelled: Bool {
        self.word.load(ordering: .acquiring) & ParkState.cancelledBit != 0
    }

    // MARK: For other threads

    /// Claims the wait, so that the claimer can fill the waiter in and call ``wake()``.
    ///
    /// Called under the lock of the queue where it is enlisted, so that it cannot leave meanwhile.
    @usableFromInline
    package final func claim() -> Bool { self.apply { $0.claim() } }

    /// Ends the claimed wait.
    ///
    /// Called outside every lock.
    @usableFromInline
    package final func wake() { if self.apply({ $0.wake() }) { self.unpark() } }

    /// Ends the pending wait, if it is not claimed, and forbids each later one.
    ///
    /// - Returns: Whether the caller must resume it on a thread.
    package final func noteCancellation() -> Bool { self.apply { $0.cancel() } }

    /// Ends the pending wait, if it is not claimed, and forbids each later one.
    package final func cancelWait() { if self.noteCancellation() { self.unpark() } }

    /// Release and acquire together: the woken waiter sees what the claimer wrote, and the claimer sees what the waiter
    /// wrote.
    @inline(__always)
    private final func apply(_ event: (ParkState) -> (next: ParkState, action: Bool)) -> Bool {
        self.word.update { seen in
            let (next, action) = event(ParkState(rawValue: seen))
            return (next.rawValue, action)
        }
    }
}

/// An uncounted reference to a waiter, for its wakers: counting would cost more than the rest.
///
/// Safe: a reference is used by the waiter itself; or found in a queue, under that queue's lock; or used between a
/// claim and the wake that follows. Until it is woken, a waiter is alive.
@safe @usableFromInline
package struct ParkerReference: Sendable {
    @usableFromInline package let parker: Unmanaged<_Parker>

    @inlinable
    package init(_ parker: _Parker) { unsafe self.parker = Unmanaged.passUnretained(parker) }

    @inlinable
    package init(_ parker: Unmanaged<_Parker>) { unsafe self.parker = parker }

    @inlinable @inline(__always)
    package func begin() -> Bool { unsafe self.parker._withUnsafeGuaranteedRef { $0.begin() } }

    package var resumesOthersCode: Bool { unsafe self.parker._withUnsafeGuaranteedRef { $0.resumesOthersCode } }

    @inlinable @inline(__always)
    package func suspend(forChannelMadeAt site: CallSite) -> Bool {
        unsafe self.parker._withUnsafeGuaranteedRef { $0.suspend(forChannelMadeAt: site) }
    }

    @inlinable @inline(__always)
    package func claim() -> Bool { unsafe self.parker._withUnsafeGuaranteedRef { $0.claim() } }

    @inlinable @inline(__always)
    package func wake() { unsafe self.parker._withUnsafeGuaranteedRef { $0.wake() } }
}
