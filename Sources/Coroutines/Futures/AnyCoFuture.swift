// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import CCoroutines
import Synchronization

/// A future of which the type of the value does not matter: what all ``CoFuture``s have in common.
///
/// ## How it works
/// One word says how far it is:
///
/// | Word                     | Meaning                                | Next                              |
/// |--------------------------|----------------------------------------|-----------------------------------|
/// | observers, or 0          | it has no result                       | one more observer; claimed        |
/// | observers, with bit 0    | somebody writes the result             | one more observer; settled        |
/// | 4                        | it has its result, for ever            | none                              |
///
/// Lock-free because a future is completed and observed in less time than two locks take (`Benchmarks/README.md`, "futures").
///
/// Safe: the result is written by the one who set bit 0, and read after 4 was seen.
public class AnyCoFuture: @unchecked Sendable {
    private static let claimedBit: UInt = 1
    private static let settled: UInt = 4

    private let word = Atomic<UInt>(0)
    // The hub of those who wait and may leave, retained; 0 until somebody does.
    private let hub = Atomic<UInt>(0)

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

    /// The observer that came before this one, where it is an observer itself; see ``ObserverList``.
    @safe @exclusivity(unchecked) final var next: UInt = 0

    init() {}

    deinit {
        // Its maker let go of it: whoever observes it must hear of that.
        if !self.isSettled { self.settle(failure: CancellationError()) }
        if self.content == .error { _ = self.payload.take(as: (any Error).self) }
        let hub = self.hub.load(ordering: .acquiring)
        if let address = unsafe UnsafeRawPointer(bitPattern: hub) {
            // Safe: retained by `waiters()`, once.
            unsafe Unmanaged<FutureWaiters>.fromOpaque(address).release()
        }
    }

    // MARK: The result

    @usableFromInline final var isSettled: Bool { self.word.load(ordering: .acquiring) == Self.settled }

    /// Whether it has come to a value.
    ///
    /// Of use once it is settled.
    @usableFromInline final var hasValue: Bool { self.content == .value }

    @usableFromInline
    final func value<Value>(as _: Value.Type) -> Value { self.payload.copy(as: Value.self) }

    /// The error, if it has come to one.
    final var error: (any Error)? { self.content == .error ? self.payload.copy(as: (any Error).self) : nil }

    /// Whether it was cancelled: its result is a `CancellationError`.
    ///
    /// - Complexity: O(1).
    public final var isCanceled: Bool { self.isSettled && self.error is CancellationError }

    // MARK: Settling

    /// Makes the caller the one who writes the result, unless there is one, or somebody writes it already.
    @usableFromInline
    final func claim() -> Bool {
        var seen = self.word.load(ordering: .relaxed)
        while seen & (Self.claimedBit | Self.settled) == 0 {
            let (exchanged, original) = self.word.weakCompareExchange(
                expected: seen,
                desired: seen | Self.claimedBit,
                ordering: .acquiring
            )
            if exchanged { return true }
            seen = original
        }
        return false
    }

    /// Tells everybody of the result, which the caller has written.
    @usableFromInline
    final func publish() { Self.fire(self.settle(), from: self) }

    /// - Returns: The observers, the newest first.
    private final func settle() -> ObserverList {
        ObserverList(word: self.word.exchange(Self.settled, ordering: .acquiringAndReleasing) & ~Self.claimedBit)
    }

    /// Settles it with an error.
    ///
    /// - Returns: False if it had a result before.
    @discardableResult
    @usableFromInline
    final func settle(failure error: any Error) -> Bool {
        guard self.claim() else { return false }
        self.write(failure: error)
        self.publish()
        return true
    }

    /// Writes the result, which the caller has claimed.
    @inlinable @inline(__always)
    final func write<Value>(_ value: Value) {
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
    /// - Returns: Its own observers, to be fired next.
    func follow(_ source: AnyCoFuture) -> ObserverList { preconditionFailure("BUG: this future observes none") }

    /// Settles it, from `follow`.
    final func settleFollowing(failure error: any Error) -> ObserverList {
        guard self.claim() else { return .empty }
        self.write(failure: error)
        return self.settle()
    }

    /// Settles it, from `follow`.
    final func settleFollowing<Value>(_ value: Value) -> ObserverList {
        guard self.claim() else { return .empty }
        self.write(value)
        return self.settle()
    }

    /// Observers to be fired, and the future that they observe.
    ///
    /// Safe: the source is the caller's, or was retained by the list that it came out of.
    @safe
    private struct Firing {
        var observers: ObserverList
        let source: Unmanaged<AnyCoFuture>
        /// Whether the source came out of a list, and is to be released.
        let isOwned: Bool
    }

    /// Goes through observers, the oldest first, and through those of each future among them before the next.
    ///
    /// A loop, not a recursion: a chain may be longer than a stack is deep.
    private static func fire(_ observers: ObserverList, from source: AnyCoFuture) {
        if observers.isEmpty { return }
        var firing = unsafe Firing(
            observers: observers.reversed(),
            source: Unmanaged.passUnretained(source),
            isOwned: false
        )
        var later: [Firing] = []
        while true {
            guard let entry = firing.observers.first else {
                if firing.isOwned { unsafe firing.source.release() }
                guard let last = later.popLast() else { return }
                firing = last
                continue
            }
            firing.observers = ObserverList(word: entry.next)
            let source = unsafe firing.source
            switch entry {
            case .observer(let observer):
                unsafe source._withUnsafeGuaranteedRef { source in
                    unsafe observer._withUnsafeGuaranteedRef { $0.fire(from: source) }
                }
                entry.release()
            case .future(let future):
                let observers = unsafe source._withUnsafeGuaranteedRef { source in
                    unsafe future._withUnsafeGuaranteedRef { $0.follow(source) }
                }
                if observers.isEmpty {
                    entry.release()
                    continue
                }
                if !firing.observers.isEmpty {
                    later.append(firing)
                } else if firing.isOwned {
                    unsafe source.release()
                }
                firing = unsafe Firing(observers: observers.reversed(), source: future, isOwned: true)
            }
        }
    }

    // MARK: Observing

    /// Adds an observer; if there is a result, it is fired here and now.
    @usableFromInline
    final func add(_ observer: __owned FutureObserver) { self.add(ObserverList(observer)) }

    /// Adds a future that observes this one.
    @usableFromInline
    final func add(_ future: AnyCoFuture) { self.add(ObserverList(future)) }

    private final func add(_ observer: ObserverList) {
        guard let entry = observer.first else { preconditionFailure("BUG: no observer") }
        var seen = self.word.load(ordering: .acquiring)
        while seen != Self.settled {
            entry.next = seen & ~Self.claimedBit
            let (exchanged, original) = self.word.weakCompareExchange(
                expected: seen,
                desired: observer.word | (seen & Self.claimedBit),
                successOrdering: .acquiringAndReleasing,
                failureOrdering: .acquiring
            )
            if exchanged { return }
            seen = original
        }
        entry.next = 0
        Self.fire(observer, from: self)
    }

    /// Whether anybody is to learn of the result.
    ///
    /// Called by the one who has the only reference to it, and is to settle it.
    final var isObserved: Bool {
        let word = self.word.load(ordering: .acquiring)
        if word == Self.settled { return false }
        var observers = ObserverList(word: word & ~Self.claimedBit)
        while let entry = observers.first {
            if entry.isWaiting { return true }
            observers = ObserverList(word: entry.next)
        }
        return false
    }

    /// The hub of those who wait and may leave.
    ///
    /// - Returns: Nothing if there is a result.
    final func waiters() -> FutureWaiters? {
        if self.isSettled { return nil }
        let seen = self.hub.load(ordering: .acquiring)
        if let address = unsafe UnsafeRawPointer(bitPattern: seen) {
            // Safe: retained until this future goes away.
            return unsafe Unmanaged<FutureWaiters>.fromOpaque(address).takeUnretainedValue()
        }
        let hub = FutureWaiters()
        // Safe: released in `deinit`, or below.
        let retained = unsafe Unmanaged.passRetained(hub)
        let (exchanged, original) = self.hub.compareExchange(
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
        self.add(hub)
        return hub
    }

    // MARK: Cancelling

    /// Ends this future, and the work behind it, with `CancellationError`.
    ///
    /// The whole chain: the future from which this one was made with `map` and the like is cancelled too, up to the first one,
    /// whose `whenCanceled` ends the work; and with it all futures that were made from them. Nothing happens if there is a
    /// result.
    ///
    /// Isolation: may be called on any thread. Observers run in this call.
    ///
    /// - Complexity: O(*n*) in the number of futures and observers in the chain.
    public func cancel() { self.settle(failure: CancellationError()) }

    /// Ends this future with `CancellationError`, and lets the work behind it go on, for others.
    ///
    /// Nothing happens if there is a result.
    ///
    /// Isolation: may be called on any thread. Observers run in this call.
    ///
    /// - Complexity: O(*n*) in the number of observers.
    public func abandon() { self.settle(failure: CancellationError()) }
}

extension AnyCoFuture: CoCancellable {}

extension AnyCoFuture: Hashable {
    /// Whether both are the same object.
    public static func == (left: AnyCoFuture, right: AnyCoFuture) -> Bool { left === right }

    /// Feeds the object's identity to a hasher.
    public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
