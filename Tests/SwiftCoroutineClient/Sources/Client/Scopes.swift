// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

#if swift(>=6)
/// Something of the user's own that can be cancelled.
final class Download: CoCancellable, @unchecked Sendable {
    private var callback: (@Sendable () -> Void)?
    private(set) var isCanceled = false

    func whenComplete(_ callback: @escaping @Sendable () -> Void) {
        self.callback = callback
    }

    func cancel() {
        isCanceled = true
        callback?()
        callback = nil
    }
}
#else
class Download: CoCancellable {
    private var callback: (() -> Void)?
    private(set) var isCanceled = false

    func whenComplete(_ callback: @escaping () -> Void) {
        self.callback = callback
    }

    func cancel() {
        isCanceled = true
        callback?()
        callback = nil
    }
}
#endif

func checkScopes() {
    let counter = Counter()
    let scope = CoScope()
    check(scope.isEmpty && !scope.isCanceled, "a new scope")
    let promise = CoPromise<Int>()
    let future: CoFuture<Int> = promise.map { $0 + 1 }.added(to: scope)
    let channel = CoChannel<Int>().added(to: scope)
    let (receiver, sender) = CoChannel<Int>().pair
    receiver.added(to: scope)
    scope.add(sender)
    let download = Download()
    scope.add(download)
    let items: [CoCancellable] = [CoPromise<Int>(), CoChannel<String>()]
    items.forEach(scope.add)
    let inner = CoScope().added(to: scope)
    DispatchQueue.global().startCoroutine(in: scope) {
        defer { counter.note("coroutine ended") }
        counter.note("coroutine begun")
        _ = try promise.await()
    }
    counter.wait(for: 1)
    check(!scope.isEmpty, "a scope with items")
    scope.whenComplete { counter.note("scope complete") }
    scope.cancel()
    counter.wait(for: 3)
    check(scope.isCanceled && scope.isEmpty, "a cancelled scope")
    check(future.isCanceled && promise.isCanceled, "the future and its source")
    check(channel.isCanceled && receiver.isCanceled, "the channels")
    check(download.isCanceled, "an item of the user's own")
    check(inner.isCanceled, "a scope in a scope")
    scope.whenComplete { counter.note("late") }
    counter.wait(for: 4)
    check(CoPromise<Int>().added(to: scope).isCanceled, "what is added to a cancelled scope")

    // What has ended leaves the scope.
    let other = CoScope()
    let done = CoPromise<Int>().added(to: other)
    check(!other.isEmpty, "a pending item")
    done.success(1)
    check(other.isEmpty, "nothing is pending")

    // It cancels when it goes away.
    var short: CoScope? = CoScope()
    let pending = CoPromise<Int>()
    if let short {
        pending.added(to: short)
        short.whenComplete { counter.note("gone") }
    }
    short = nil
    check(pending.isCanceled, "cancelled with the scope's end")
    counter.wait(for: 5)
}
