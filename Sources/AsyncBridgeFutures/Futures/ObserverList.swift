// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An entry in a future's list of observers, and all those that came before it: a word.
///
/// The newest comes first, as in lists that grow without a lock (R. K. Treiber, IBM RJ 5118, 1986); it is
/// reversed once, before it is gone through.
///
/// Futures are observers themselves, of the future that they are made from: that saves an object for each `map`. One
/// observer, the first, may lie in the observed future; it is not linked, and a bit of the word says that it is there.
///
/// Safe: the list holds a reference to each of its objects, from `init` to `release`.
@safe
package struct ObserverList {
    private static let futureBit: UInt = 2
    private static let linkBit: UInt = 4
    /// Whether the first observer is stored in the future itself.
    static let firstBit: UInt = 8
    private static let addressBits: UInt = ~15

    package private(set) var word: UInt

    static let empty = ObserverList(word: 0)

    init(word: UInt) { self.word = word }

    init(_ observer: __owned FutureObserver) {
        self.word = UInt(bitPattern: unsafe Unmanaged.passRetained(observer).toOpaque())
    }

    init(_ future: AnyCoFuture) {
        self.word = UInt(bitPattern: unsafe Unmanaged.passRetained(future).toOpaque()) | Self.futureBit
    }

    /// - Parameter future: An entry of another list, with its reference.
    init(taking future: Unmanaged<AnyCoFuture>) {
        self.word = UInt(bitPattern: unsafe future.toOpaque()) | Self.futureBit
    }

    /// - Parameter link: The link, whose whole is retained from now on.
    init(_ link: FutureLink) {
        link.retain()
        self.word = UInt(bitPattern: unsafe link.address) | Self.linkBit
    }

    package var isEmpty: Bool { self.word & (Self.addressBits | Self.firstBit) == 0 }

    package var hasFirst: Bool { self.word & Self.firstBit != 0 }

    /// Notes that the first observer has been called.
    mutating func removeFirst() { self.word &= ~Self.firstBit }

    /// An object in the list.
    @safe
    enum Entry {
        case observer(Unmanaged<FutureObserver>)
        case future(Unmanaged<AnyCoFuture>)
        case link(FutureLink)

        // Without references of its own: these would cost more than the rest.

        var next: UInt {
            get {
                switch self {
                case .observer(let observer): unsafe observer._withUnsafeGuaranteedRef { $0.next }
                case .future(let future): unsafe future._withUnsafeGuaranteedRef { $0.next }
                case .link(let link): link.next
                }
            }
            nonmutating set {
                switch self {
                case .observer(let observer): unsafe observer._withUnsafeGuaranteedRef { $0.next = newValue }
                case .future(let future): unsafe future._withUnsafeGuaranteedRef { $0.next = newValue }
                case .link(let link): link.next = newValue
                }
            }
        }

        /// Whether it needs the result: not a future that has one, and not a `FutureWaiters` that all waiters have
        /// left.
        var isWaiting: Bool {
            switch self {
            case .observer(let observer): unsafe observer._withUnsafeGuaranteedRef { $0.isWaiting }
            case .future(let future): unsafe future._withUnsafeGuaranteedRef { !$0.isSettled }
            case .link(let link): unsafe link.whole._withUnsafeGuaranteedRef { !$0.isSettled }
            }
        }

        func release() {
            switch self {
            case .observer(let observer): unsafe observer.release()
            case .future(let future): unsafe future.release()
            case .link(let link): link.release()
            }
        }
    }

    /// The newest entry, or the oldest of a list that was reversed.
    var first: Entry? {
        guard let address = unsafe UnsafeMutableRawPointer(bitPattern: self.word & Self.addressBits) else { return nil }
        if self.word & Self.futureBit != 0 { return unsafe .future(Unmanaged.fromOpaque(address)) }
        if self.word & Self.linkBit != 0 { return unsafe .link(FutureLink(address)) }
        return unsafe .observer(Unmanaged.fromOpaque(address))
    }

    /// The same entries, oldest first.
    consuming func reversed() -> ObserverList {
        // A list without entries ends the loop as well: of what is reserved there is no address.
        let first = self.word & Self.firstBit
        var (rest, reversed) = (ObserverList(word: self.word & ~Self.firstBit), ObserverList.empty)
        while let entry = rest.first {
            let next = ObserverList(word: entry.next)
            entry.next = reversed.word
            (reversed, rest) = (rest, next)
        }
        reversed.word |= first
        return reversed
    }
}
