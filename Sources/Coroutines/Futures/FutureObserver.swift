// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Something in a future's list that happens when the future has its result.
///
/// Safe: the link belongs to the list, which is handed from thread to thread by the future's word.
@usableFromInline
class FutureObserver: @unchecked Sendable {
    /// The observer that came before; see ``ObserverList``.
    final var next: UInt = 0

    @usableFromInline
    init() {}

    /// Whether it is to learn of the result.
    var isWaiting: Bool { true }

    /// The future has its result.
    @usableFromInline
    func fire(from source: AnyCoFuture) { preconditionFailure("BUG: an observer of no kind") }
}

/// Calls a closure with the value.
@usableFromInline
final class ValueObserver<Value: Sendable>: FutureObserver, @unchecked Sendable {
    private let callback: @Sendable (Value) -> Void

    @usableFromInline
    init(_ callback: @escaping @Sendable (Value) -> Void) { self.callback = callback }

    // Not specialised: nothing here may need the metadata of another generic type, which costs more than all the rest.
    override func fire(from source: AnyCoFuture) {
        if source.hasValue { self.callback(source.value(as: Value.self)) }
    }
}

/// Calls a closure with the future.
@usableFromInline
final class ActionObserver: FutureObserver, @unchecked Sendable {
    private let action: @Sendable (AnyCoFuture) -> Void

    @usableFromInline
    init(_ action: @escaping @Sendable (AnyCoFuture) -> Void) { self.action = action }

    override func fire(from source: AnyCoFuture) { self.action(source) }
}

/// An entry in a future's list of observers, and all those that came before it: a word.
///
/// The newest comes first, as is the way of lists that grow without a lock (R. K. Treiber, IBM RJ 5118, 1986); it is reversed
/// once, before it is gone through.
///
/// Futures are observers themselves, of the future that they are made from: that saves an object for each `map`.
///
/// Safe: the list holds a reference to each of its objects, from `init` to `release`.
@safe
struct ObserverList {
    private static let futureBit: UInt = 2

    let word: UInt

    static let empty = ObserverList(word: 0)

    init(word: UInt) { self.word = word }

    init(_ observer: __owned FutureObserver) {
        self.word = UInt(bitPattern: unsafe Unmanaged.passRetained(observer).toOpaque())
    }

    init(_ future: AnyCoFuture) {
        self.word = UInt(bitPattern: unsafe Unmanaged.passRetained(future).toOpaque()) | Self.futureBit
    }

    var isEmpty: Bool { self.word == 0 }

    /// An object in the list.
    @safe
    enum Entry {
        case observer(Unmanaged<FutureObserver>)
        case future(Unmanaged<AnyCoFuture>)

        // Without references of its own: these would cost more than the rest.

        var next: UInt {
            get {
                switch self {
                case .observer(let observer): unsafe observer._withUnsafeGuaranteedRef { $0.next }
                case .future(let future): unsafe future._withUnsafeGuaranteedRef { $0.next }
                }
            }
            nonmutating set {
                switch self {
                case .observer(let observer): unsafe observer._withUnsafeGuaranteedRef { $0.next = newValue }
                case .future(let future): unsafe future._withUnsafeGuaranteedRef { $0.next = newValue }
                }
            }
        }

        /// Whether it is to learn of the result: not a future that has one, and not a hub that all have left.
        var isWaiting: Bool {
            switch self {
            case .observer(let observer): unsafe observer._withUnsafeGuaranteedRef { $0.isWaiting }
            case .future(let future): unsafe future._withUnsafeGuaranteedRef { !$0.isSettled }
            }
        }

        func release() {
            switch self {
            case .observer(let observer): unsafe observer.release()
            case .future(let future): unsafe future.release()
            }
        }
    }

    var first: Entry? {
        guard let address = unsafe UnsafeRawPointer(bitPattern: self.word & ~Self.futureBit) else { return nil }
        if self.word & Self.futureBit != 0 { return unsafe .future(Unmanaged.fromOpaque(address)) }
        return unsafe .observer(Unmanaged.fromOpaque(address))
    }

    /// The same entries, the first to come first.
    consuming func reversed() -> ObserverList {
        var (rest, reversed) = (self, ObserverList.empty)
        while let entry = rest.first {
            let next = ObserverList(word: entry.next)
            entry.next = reversed.word
            (reversed, rest) = (rest, next)
        }
        return reversed
    }
}
