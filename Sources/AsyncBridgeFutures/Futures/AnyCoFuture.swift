// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import CAsyncBridge
import Synchronization

/// A ``CoFuture`` of any type of value, for code that only cancels futures or waits for their end.
///
/// You do not create one: each `CoFuture` is one. Use it for a collection of futures of different types.
///
/// May be used on any thread.
public class AnyCoFuture: @unchecked Sendable {
    // One word says how far it is: `FutureState` has the table. The first observer may lie in the future itself, which
    // saves an object: `add(first:)` of `CoFuture`.
    //
    // Lock-free because a future is completed and observed in less time than two locks take (`Benchmarks/README.md`,
    // "futures").
    //
    // Safe: the result is written by the code that has claimed it, and read after `settled` was seen.
    let word = Atomic<UInt>(0)
    // The waiters, which may leave: a retained `FutureWaiters`; 0 until one comes.
    private let waitersWord = Atomic<UInt>(0)

    /// What is in the payload.
    @usableFromInline
    enum Content: UInt8 {
        case none
        case value
        case error
    }

    @safe @usableFromInline @exclusivity(unchecked) final var payload = Payload()
    @safe @usableFromInline @exclusivity(unchecked) final var content = Content.none
    /// Whether there is a value that must be destroyed: not a number, for example.
    @safe @usableFromInline @exclusivity(unchecked) final var ownsValue = false

    /// Whether it notes that its value was read.
    ///
    /// Written before anybody else has the future.
    @safe @exclusivity(unchecked) final var notesReading = false
    private let isRead = Atomic(false)

    /// The observer that came before this one, where it is an observer itself; see ``ObserverList``.
    @safe @exclusivity(unchecked) final var next: UInt = 0

    init() {}

    deinit {
        if self.content == .error { _ = self.payload.take(as: (any Error).self) }
        let word = self.waitersWord.load(ordering: .acquiring)
        if let address = unsafe UnsafeRawPointer(bitPattern: word) {
            // Safe: retained by `waiters()`, once.
            unsafe Unmanaged<FutureWaiters>.fromOpaque(address).release()
        }
    }

    // MARK: The state

    /// How far it is at this moment.
    final var state: FutureState { FutureState(rawValue: self.word.load(ordering: .acquiring)) }

    /// Applies an event to the state.
    ///
    /// - Parameter event: The next state; nothing to refuse. May be called several times.
    /// - Returns: Whether it was not refused.
    @inline(__always)
    final func apply(_ event: (FutureState) -> FutureState?) -> Bool {
        self.word.update { seen in
            let next = event(FutureState(rawValue: seen))
            return (next?.rawValue, next != nil)
        }
    }

    // MARK: The result

    @usableFromInline package final var isSettled: Bool { self.state.isSettled }

    /// Whether it has a value.
    ///
    /// Of use once it is settled.
    @usableFromInline package final var hasValue: Bool { self.content == .value }

    /// The value, to be passed on: each way to read a value leads here.
    @usableFromInline
    final func value<Value>(as _: Value.Type) -> Value {
        if self.notesReading { self.isRead.store(true, ordering: .relaxed) }
        return self.payload.copy(as: Value.self)
    }

    /// Whether it has a value that was never read.
    ///
    /// Of use in `deinit` of a future that notes it.
    final var isUnread: Bool { self.hasValue && !self.isRead.load(ordering: .relaxed) }

    /// The error, if it has failed.
    final var error: (any Error)? { self.content == .error ? self.payload.copy(as: (any Error).self) : nil }

    /// Whether the future was cancelled: whether its result is a `CancellationError`.
    ///
    /// - Complexity: O(1).
    public final var isCancelled: Bool { self.isSettled && self.error is CancellationError }

    // MARK: Settling

    /// Claims the future for the caller, who writes the result, unless there is one or other code is writing it.
    @usableFromInline
    package final func claim() -> Bool { self.apply { $0.claim() } }

    /// Tells everybody of the result, which the caller has written.
    @usableFromInline
    package final func publish() { FutureFiring.run(self.settle(), from: self) }

    /// The same for a future that no other code has yet.
    @usableFromInline
    final func publishUnobserved() { self.word.store(FutureState.settled.rawValue, ordering: .releasing) }

    /// - Returns: The observers, the newest first.
    private final func settle() -> ObserverList {
        let before = self.word.exchange(FutureState.settled.rawValue, ordering: .acquiringAndReleasing)
        return FutureState(rawValue: before).observers
    }

    /// Settles it with an error.
    ///
    /// - Returns: False if it had a result before.
    @discardableResult
    @usableFromInline
    package final func settle(failure error: any Error) -> Bool {
        guard self.claim() else { return false }
        self.write(failure: error)
        self.publish()
        return true
    }

    /// Writes the result, which the caller has claimed.
    @inlinable @inline(__always)
    package final func write<Value>(_ value: Value) {
        self.payload.store(value)
        self.content = .value
        self.ownsValue = !(_isPOD(Value.self) && Payload.fitsInline(Value.self))
    }

    private final func write(failure error: any Error) {
        // Spelt out: the error itself would be stored otherwise, not the box that it comes in.
        self.payload.store(error as any Error)
        self.content = .error
    }

    /// Settles it with the result of the future that it observes.
    ///
    /// - Parameters:
    ///   - source: The future that it observes.
    ///   - firing: Takes what else must be done.
    /// - Returns: Its own observers, to be fired next.
    func follow(_ source: AnyCoFuture, _ firing: inout FutureFiring) -> ObserverList {
        preconditionFailure("BUG: this future observes no other future")
    }

    /// One of the futures that it combines has its result.
    ///
    /// - Parameters:
    ///   - source: That future.
    ///   - link: What has observed it.
    ///   - firing: Takes what must be done.
    func combine(_ source: AnyCoFuture, _ link: FutureLink, _ firing: inout FutureFiring) {
        preconditionFailure("BUG: this future combines no other futures")
    }

    /// Calls the observer that is stored in the future itself.
    func callFirst() { preconditionFailure("BUG: this future has no observer of its own") }

    /// Settles it, for code that fires its observers.
    final func settleFollowing(failure error: any Error) -> ObserverList {
        self.claim() ? self.settleClaimed(failure: error) : .empty
    }

    /// Settles it, for code that has claimed it and fires its observers.
    final func settleClaimed(failure error: any Error) -> ObserverList {
        self.write(failure: error)
        return self.settle()
    }

    /// Settles it, for code that fires its observers.
    final func settleFollowing<Value>(_ value: Value) -> ObserverList {
        self.claim() ? self.settleClaimed(value) : .empty
    }

    /// Settles it, for code that has claimed it and fires its observers.
    final func settleClaimed<Value>(_ value: Value) -> ObserverList {
        self.write(value)
        return self.settle()
    }

    // MARK: Observing

    /// Makes it observe another future, and be cancelled with it.
    ///
    /// - Returns: False if it does not observe the first one.
    func exchangeSource(_ source: AnyCoFuture, for next: AnyCoFuture) -> Bool { false }

    /// Whether it was cancelled, and has cancelled the future that it observed, or is about to.
    var hasCancelledItsSource: Bool { false }

    /// Notes what it observes from now on, to be cancelled with it.
    ///
    /// - Returns: False if it was cancelled.
    func beginFollowing(_ next: AnyCoFuture) -> Bool { true }

    /// Whether anybody is to learn of the result.
    ///
    /// Called by code that has the only reference to it and must settle it.
    final var isObserved: Bool {
        let state = self.state
        if state.isSettled { return false }
        var observers = state.observers
        if observers.hasFirst { return true }
        while let entry = observers.first {
            if entry.isWaiting { return true }
            observers = ObserverList(word: entry.next)
        }
        return false
    }

    /// The object with the waiters, which may leave.
    ///
    /// - Returns: Nothing if there is a result.
    package final func waiters() -> FutureWaiters? {
        if self.isSettled { return nil }
        let seen = self.waitersWord.load(ordering: .acquiring)
        if let address = unsafe UnsafeRawPointer(bitPattern: seen) {
            // Safe: retained until this future goes away.
            return unsafe Unmanaged<FutureWaiters>.fromOpaque(address).takeUnretainedValue()
        }
        let waiters = FutureWaiters()
        // Safe: released in `deinit`, or below.
        let retained = unsafe Unmanaged.passRetained(waiters)
        let (exchanged, original) = self.waitersWord.compareExchange(
            expected: 0,
            desired: UInt(bitPattern: unsafe retained.toOpaque()),
            ordering: .acquiringAndReleasing
        )
        guard exchanged else {
            unsafe retained.release()
            guard let address = unsafe UnsafeRawPointer(bitPattern: original) else { return nil }
            // Safe: as above.
            return unsafe Unmanaged<FutureWaiters>.fromOpaque(address).takeUnretainedValue()
        }
        self.add(waiters)
        return waiters
    }

    // MARK: Cancelling

    /// What `cancel()` does to it.
    var cancellation: FutureCancellation { .ends }

    /// Cancels what is behind this future, which was cancelled.
    ///
    /// - Parameters:
    ///   - observers: The future's own observers.
    ///   - firing: Takes the futures to cancel with it.
    /// - Returns: The observers to fire before those are cancelled.
    func cancelWork(_ observers: ObserverList, _ firing: inout FutureFiring) -> ObserverList { observers }
}

extension AnyCoFuture: CoCancellable {}

extension AnyCoFuture: Hashable {
    /// Whether both are the same object.
    public static func == (left: AnyCoFuture, right: AnyCoFuture) -> Bool { left === right }

    /// Feeds the object's identity to a hasher.
    public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
