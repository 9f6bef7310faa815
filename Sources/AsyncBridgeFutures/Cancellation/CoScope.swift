// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// Cancels its items when it is cancelled or released.
///
/// It waits for nothing. To wait for children to end, use a task group, or `withCoroutineScope(_:fileID:line:_:)` of
/// the module `Coroutines`.
///
/// A screen that owns a scope can end all its work with it:
///
/// ```swift
/// final class QuoteScreen: Sendable {
///     private let scope = CoScope()
///
///     func appear() {
///         CoFuture { [weak self] in
///             let quote = try await QuoteClient.shared.quote()
///             self?.show(quote)
///         }
///         .added(to: self.scope)
///     }
///
///     func disappear() { self.scope.cancel() }
///
///     func show(_ quote: String) { print(quote) }
/// }
/// ```
///
/// In a coroutine, with `import Coroutines`:
///
/// ```swift
/// func appear() {
///     DispatchQueue.main.startCoroutine(in: self.scope) { [weak self] in
///         let quote = try Coroutine.await { try await QuoteClient.shared.quote(id: "1") }
///         self?.show(quote)
///     }
/// }
/// ```
///
/// Work that has ended leaves the scope by itself. A scope keeps nothing alive. A coroutine, and a future of async
/// code, stay alive until their code ends; your own object must be kept by other code, or the scope cannot cancel it.
/// Capture the scope's owner weakly, as above, or the work keeps both alive.
///
/// Isolation: may be used on any thread. Everything is cancelled in the call of ``cancel()``, or in that of `deinit`,
/// outside every lock.
public final class CoScope: CoCancellable {
    private let state = Mutex(CoScopeState())

    /// Makes an empty scope.
    public init() {}

    /// Adds something to cancel, which the scope does not keep alive.
    ///
    /// If the scope is already cancelled, the item is cancelled at once. An object that is released before it has ended
    /// is no longer cancelled, and leaves a small entry until the scope is released.
    ///
    /// - Parameter item: What to cancel.
    /// - Complexity: O(1) amortised.
    public func add(_ item: any CoCancellable) {
        self.add({ [weak item] in item?.cancel() }, whenComplete: { item.whenComplete($0) })
    }

    /// Adds work that a closure cancels.
    ///
    /// - Parameters:
    ///   - cancel: Cancels it.
    ///   - whenComplete: Registers a closure to call when it has ended.
    package func add(
        _ cancel: @escaping @Sendable () -> Void,
        whenComplete: (@escaping @Sendable () -> Void) -> Void
    ) {
        switch self.state.withLock({ $0.add(cancel) }) {
        case .removeAtEnd(let key):
            // Weak: an item that never ends must not keep the scope alive.
            whenComplete { [weak self] in self?.remove(key) }
        case .cancel:
            cancel()
        }
    }

    private func remove(_ key: UInt64) {
        releaseHere(self.state.withLock { $0.remove(key) })
    }

    /// Whether it holds nothing: all items have ended, or it was cancelled.
    ///
    /// - Complexity: O(1).
    public var isEmpty: Bool { self.state.withLock { $0.isEmpty } }

    /// Whether it was cancelled.
    ///
    /// - Complexity: O(1).
    public var isCancelled: Bool { self.state.withLock { $0.isCancelled } }

    /// Cancels all items, in the order in which they were added, and each that is added from now on.
    ///
    /// A second call does nothing. Coroutines end later, each where it runs: see `CoroutineHandle.cancel()`.
    ///
    /// Isolation: the items are cancelled in this call, outside every lock. When scopes are items of each other and
    /// little of the stack is left, they are cancelled on Dispatch's global queue, or on the scheduler of the calling
    /// coroutine.
    ///
    /// - Complexity: O(*n* log *n*) in their number.
    public func cancel() {
        let actions = self.state.withLock { $0.cancel() }
        // A scope may be the item of a scope, and so on.
        if OtherStack.isNeeded, !actions.isEmpty {
            OtherStack.run { for action in actions { action() } }
        } else {
            for action in actions { action() }
        }
    }

    /// Calls a closure when the scope is cancelled or released; immediately, if it was already cancelled.
    ///
    /// Isolation: the closure runs in the call that cancels, after all items were cancelled.
    ///
    /// - Parameter callback: Called once.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenComplete(_ callback: @escaping @Sendable () -> Void) {
        switch self.state.withLock({ $0.observe(callback) }) {
        case .keep: break
        case .call: callback()
        }
    }

    deinit { self.cancel() }
}
