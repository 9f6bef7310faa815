// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A sender as the user's closure attaches and detaches a delegate.
struct DelegateSender: Sendable {
    /// Sets the sender's delegate on the closure's actor: to the delegate, or to `nil`.
    private let setThere: @Sendable (Bool) async -> Void

    /// The same, where the closure has no actor.
    private let setHere: (@Sendable (Bool) -> Void)?

    /// Takes the closure of `events(attach:)`.
    ///
    /// - Parameters:
    ///   - delegate: What it is called with, to attach; `nil` detaches.
    ///   - attach: The closure.
    init<Delegate: AnyObject & Sendable>(
        _ delegate: Delegate,
        _ attach: @escaping @Sendable @isolated(any) (Delegate?) -> Void
    ) {
        self.setThere = { await attach($0 ? delegate : nil) }
        guard Self.isolation(of: attach) == nil else {
            self.setHere = nil
            return
        }
        // Safe: the two types differ in whether the value tells its actor, and it has none.
        let plain = unsafe unsafeBitCast(attach, to: (@Sendable (Delegate?) -> Void).self)
        self.setHere = { plain($0 ? delegate : nil) }
    }

    // A function, because the compiler (6.3) takes `attach.isolation` for a use of the closure on its actor.
    private static func isolation<Delegate>(of attach: @isolated(any) (Delegate?) -> Void) -> (any Actor)? {
        attach.isolation
    }

    /// Attaches or detaches, and then goes on: at once, or as soon as the actor is free.
    func set(attached: Bool, then next: @escaping @Sendable () -> Void) {
        if let setHere = self.setHere {
            setHere(attached)
            next()
        } else {
            Task {
                await self.setThere(attached)
                next()
            }
        }
    }
}
