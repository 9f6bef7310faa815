// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge

/// Tells observers of results, and cancels futures, in a loop: a chain of futures may be longer than any stack is deep.
///
/// The order is that of calls in calls: the observers of a future among the observers come before the next of those,
/// and what an entry has added here comes before the next entry. Nothing here holds a lock.
///
/// Safe: each future that it holds was retained for it, but the one that `run` was called with, which is the caller's.
@safe
struct FutureFiring: ~Copyable {
    /// Observers to be fired, the oldest first, and the future that they observe.
    @safe
    private struct Frame {
        var observers: ObserverList
        let source: Unmanaged<AnyCoFuture>
        /// Whether to release the source.
        let isOwned: Bool
    }

    @safe
    private enum Work {
        case fire(Frame)
        case cancel(Unmanaged<AnyCoFuture>)
    }

    // The last is done next.
    private var later: [Work] = []
    // What the future that has just followed its source follows next.
    private var inner: Unmanaged<AnyCoFuture>?

    private init() { unsafe self.inner = nil }

    /// Tells observers of the result of a future.
    ///
    /// - Parameters:
    ///   - observers: The observers, the newest first.
    ///   - source: The future.
    static func run(_ observers: consuming ObserverList, from source: AnyCoFuture) {
        if observers.isEmpty { return }
        let source = unsafe Unmanaged.passUnretained(source)
        // An observer may have completed it, whose future another observer has completed, and so on. One that is
        // going away cannot be kept for another stack.
        if OtherStack.isNeeded, unsafe swift_tryRetain(source.toOpaque()) != nil {
            return unsafe self.goOnElsewhere(
                Frame(observers: observers.reversed(), source: source, isOwned: true),
                later: []
            )
        }
        var firing = FutureFiring()
        unsafe firing.run(Frame(observers: observers.reversed(), source: source, isOwned: false))
    }

    /// Cancels a future, and all those behind it.
    ///
    /// This one has its result when the call returns, wherever the rest happens.
    static func cancel(_ future: AnyCoFuture) {
        var firing = FutureFiring()
        firing.cancel(future)
        guard let frame = firing.next() else { return }
        if OtherStack.isNeeded { return self.goOnElsewhere(frame, later: firing.later) }
        firing.goOn(frame)
    }

    private mutating func goOn(_ start: Frame) {
        self.run(start)
        while let frame = self.next() { self.run(frame) }
    }

    /// Does on another stack what is left to be done.
    @inline(never)
    private static func goOnElsewhere(_ frame: Frame, later: [Work]) {
        OtherStack.run {
            var firing = FutureFiring()
            firing.later = later
            firing.goOn(frame)
        }
    }

    // MARK: For the entries of a list

    /// Has the observers of a future fired next.
    ///
    /// Called in the reverse order, like `cancel`: what is added last is done first.
    mutating func fire(_ observers: consuming ObserverList, of future: AnyCoFuture) {
        if observers.isEmpty { return }
        let source = unsafe Unmanaged.passRetained(future)
        self.later.append(unsafe .fire(Frame(observers: observers.reversed(), source: source, isOwned: true)))
    }

    /// Has a future cancelled next.
    mutating func cancel(_ future: AnyCoFuture) { self.later.append(unsafe .cancel(Unmanaged.passRetained(future))) }

    /// Has a future cancelled next, whose reference is handed over.
    mutating func cancel(taking future: Unmanaged<AnyCoFuture>) {
        self.later.append(unsafe .cancel(future))
    }

    /// Has the future that is following its source follow another one next.
    mutating func follow(_ inner: AnyCoFuture) { unsafe self.inner = Unmanaged.passRetained(inner) }

    // MARK: The loop

    private mutating func run(_ start: Frame) {
        var frame = start
        while true {
            let source = unsafe frame.source
            if frame.observers.hasFirst {
                frame.observers.removeFirst()
                unsafe source._withUnsafeGuaranteedRef { $0.callFirst() }
            }
            guard let entry = frame.observers.first else {
                if frame.isOwned { unsafe source.release() }
                guard let next = self.next() else { return }
                frame = next
                continue
            }
            frame.observers = ObserverList(word: entry.next)
            let depth = self.later.count
            switch entry {
            case .future(let future):
                if let next = unsafe self.follow(future, source) {
                    if !frame.observers.isEmpty {
                        self.later.insert(.fire(frame), at: depth)
                    } else if frame.isOwned {
                        unsafe source.release()
                    }
                    frame = next
                    continue
                }
            case .observer(let observer):
                unsafe source._withUnsafeGuaranteedRef { source in
                    unsafe observer._withUnsafeGuaranteedRef { $0.fire(from: source, &self) }
                }
                entry.release()
            case .link(let link):
                unsafe source._withUnsafeGuaranteedRef { source in
                    unsafe link.whole._withUnsafeGuaranteedRef { $0.combine(source, link, &self) }
                }
                entry.release()
            }
            if self.later.count > depth {
                // Before the rest of this list.
                self.later.insert(.fire(frame), at: depth)
                guard let next = self.next() else { return }
                frame = next
            }
        }
    }

    /// What to fire next; cancels the futures that must be cancelled before it.
    private mutating func next() -> Frame? {
        switch self.later.popLast() {
        case nil: return nil
        case .fire(let frame)?: return frame
        case .cancel(let future)?:
            let observers = unsafe future._withUnsafeGuaranteedRef { $0.cancelled(&self) }
            return unsafe Frame(observers: observers.reversed(), source: future, isOwned: true)
        }
    }

    /// Tells a future of the result of the one that it observes.
    ///
    /// - Parameters:
    ///   - future: The entry of the list, which owns it; it is used up.
    ///   - source: What it observes.
    /// - Returns: What to fire next, if the future, or the one that it follows, has its result now.
    private mutating func follow(_ future: Unmanaged<AnyCoFuture>, _ source: Unmanaged<AnyCoFuture>) -> Frame? {
        let observers = unsafe source._withUnsafeGuaranteedRef { source in
            unsafe future._withUnsafeGuaranteedRef { $0.follow(source, &self) }
        }
        if !observers.isEmpty {
            return unsafe Frame(observers: observers.reversed(), source: future, isOwned: true)
        }
        guard let inner = unsafe self.inner else {
            unsafe future.release()
            return nil
        }
        unsafe self.inner = nil
        return unsafe self.attach(future, to: inner)
    }

    /// Makes a future observe another one, whose reference is used up as well.
    ///
    /// - Returns: What to fire next, if the other one has its result.
    private mutating func attach(_ future: Unmanaged<AnyCoFuture>, to inner: Unmanaged<AnyCoFuture>) -> Frame? {
        var entry = unsafe ObserverList(taking: future)
        let isAttached = unsafe inner._withUnsafeGuaranteedRef { inner in
            if inner.isSettled { return false }
            switch unsafe future._withUnsafeGuaranteedRef({ $0.removeFromChain(for: inner) }) {
            case .done(let observer):
                unsafe future.release()
                entry = observer
                return inner.enlist(entry)
            case .cancelled:
                // When it follows, so that the other one is cancelled with it.
                unsafe self.cancel(taking: future.retain())
            case .refused:
                break
            }
            if unsafe !future._withUnsafeGuaranteedRef({ $0.beginFollowing(inner) }) {
                // Race: the future was cancelled meanwhile, by code that has not seen the one that it was to follow.
                unsafe future.release()
                self.cancel(inner)
                return true
            }
            return inner.enlist(entry)
        }
        if isAttached {
            unsafe inner.release()
            return nil
        }
        return unsafe Frame(observers: entry.reversed(), source: inner, isOwned: true)
    }
}
