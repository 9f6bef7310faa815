// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A sender as the user's closure attaches and detaches a delegate.
@_documentation(visibility: internal)
public struct DelegateSender: Sendable {
    let attach: SenderCall
    let detach: SenderCall

    /// Takes the closure of `events(attach:)`, which runs on its actor.
    ///
    /// - Parameters:
    ///   - delegate: What it is called with, to attach; `nil` detaches.
    ///   - attach: The closure.
    public init<Delegate: AnyObject & Sendable>(
        _ delegate: Delegate,
        _ attach: @escaping @Sendable @isolated(any) (Delegate?) -> Void
    ) {
        guard Self.isolation(of: attach) == nil else {
            self.attach = .there { await attach(delegate) }
            self.detach = .there { await attach(nil) }
            return
        }
        // Safe: the two types differ in whether the value tells its actor, and it has none.
        let plain = unsafe unsafeBitCast(attach, to: (@Sendable (Delegate?) -> Void).self)
        self.attach = .here { plain(delegate) }
        self.detach = .here { plain(nil) }
    }

    /// Takes a closure that waits, for a sender on an actor of its own.
    ///
    /// - Parameters:
    ///   - delegate: What it is called with, to attach; `nil` detaches.
    ///   - attach: The closure.
    public init<Delegate: AnyObject & Sendable>(
        _ delegate: Delegate,
        _ attach: @escaping @Sendable @isolated(any) (Delegate?) async -> Void
    ) {
        self.attach = .there { await attach(delegate) }
        self.detach = .there { await attach(nil) }
    }

    /// Takes a closure that the compiler cannot prove safe on other threads.
    ///
    /// - Parameters:
    ///   - delegate: What it is called with, to attach; `nil` detaches.
    ///   - attach: The closure, called perhaps on another thread: the sender must bear that.
    @unsafe
    public init<Delegate: AnyObject & Sendable>(
        unchecked delegate: Delegate,
        _ attach: @escaping @isolated(any) (Delegate?) -> Void
    ) {
        // Safe: the caller promises it.
        self.init(delegate, unsafe unsafeBitCast(attach, to: (@Sendable @isolated(any) (Delegate?) -> Void).self))
    }

    /// Takes a closure that waits, and that the compiler cannot prove safe on other threads.
    ///
    /// - Parameters:
    ///   - delegate: What it is called with, to attach; `nil` detaches.
    ///   - attach: The closure, called perhaps on another thread: the sender must bear that.
    @unsafe
    public init<Delegate: AnyObject & Sendable>(
        unchecked delegate: Delegate,
        _ attach: @escaping @isolated(any) (Delegate?) async -> Void
    ) {
        // Safe: the caller promises it.
        self.init(delegate, unsafe unsafeBitCast(attach, to: (@Sendable @isolated(any) (Delegate?) async -> Void).self))
    }

    // A function, because the compiler (6.3) takes `attach.isolation` for a use of the closure on its actor.
    private static func isolation<Delegate>(of attach: @isolated(any) (Delegate?) -> Void) -> (any Actor)? {
        attach.isolation
    }
}
