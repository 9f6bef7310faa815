// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a scope holds, and whether it was cancelled.
///
/// | State       | Holds                                                | Next        |
/// |-------------|------------------------------------------------------|-------------|
/// | `open`      | how to cancel each item that has not ended; observers | `cancelled` |
/// | `cancelled` | nothing; new items are cancelled                     | none        |
///
/// Invariant: an action leaves this machine once, to be called, or to be released because its item has ended.
package struct CoScopeState {
    package typealias Action = @Sendable () -> Void

    private struct Contents {
        var items: [UInt64: Action] = [:]
        var observers: [Action] = []
        var nextKey: UInt64 = 0
    }

    private enum Stage {
        case open(Contents)
        case cancelled
    }

    private var stage = Stage.open(Contents())

    package init() {}

    /// Whether nothing is to be cancelled any more.
    package var isEmpty: Bool {
        switch self.stage {
        case .open(let contents): contents.items.isEmpty
        case .cancelled: true
        }
    }

    package var isCancelled: Bool {
        switch self.stage {
        case .open: false
        case .cancelled: true
        }
    }

    /// What the caller of ``add(_:)`` does after it has left the lock.
    package enum AddAction {
        /// Remove the item, by this key, when it has ended.
        case removeAtEnd(UInt64)
        /// Cancel the item: the scope is already cancelled.
        case cancel
    }

    /// An item comes.
    package mutating func add(_ cancel: @escaping Action) -> AddAction {
        switch self.stage {
        case .open(var contents):
            // So that the contents are not copied.
            self.stage = .cancelled
            let key = contents.nextKey
            contents.nextKey += 1
            contents.items[key] = cancel
            self.stage = .open(contents)
            return .removeAtEnd(key)
        case .cancelled:
            return .cancel
        }
    }

    /// An item has ended.
    ///
    /// - Returns: Its action, to be released after the lock.
    package mutating func remove(_ key: UInt64) -> Action? {
        switch self.stage {
        case .open(var contents):
            self.stage = .cancelled
            defer { self.stage = .open(contents) }
            return contents.items.removeValue(forKey: key)
        case .cancelled:
            return nil
        }
    }

    /// What the caller of ``observe(_:)`` does after it has left the lock.
    package enum ObserveAction {
        /// Nothing: it is called when the scope is cancelled.
        case keep
        /// Call the observer: the scope is already cancelled.
        case call
    }

    /// An observer wants to know of the end.
    package mutating func observe(_ observer: @escaping Action) -> ObserveAction {
        switch self.stage {
        case .open(var contents):
            self.stage = .cancelled
            contents.observers.append(observer)
            self.stage = .open(contents)
            return .keep
        case .cancelled:
            return .call
        }
    }

    /// The scope is cancelled.
    ///
    /// - Returns: What to call after the lock: the items' cancel actions, oldest first, then the observers.
    package mutating func cancel() -> [Action] {
        switch self.stage {
        case .open(let contents):
            self.stage = .cancelled
            return contents.items.sorted { $0.key < $1.key }.map(\.value) + contents.observers
        case .cancelled:
            return []
        }
    }
}
