// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A call of a closure of the user's, on the actor on which it is written.
enum SenderCall: Sendable {
    /// The closure has no actor and does not wait.
    case here(@Sendable () -> Void)
    /// On the closure's actor.
    case there(@Sendable () async -> Void)

    init(_ call: @escaping @Sendable @isolated(any) () -> Void) {
        guard Self.isolation(of: call) == nil else {
            self = .there { await call() }
            return
        }
        // Safe: the two types differ in whether the value tells its actor, and it has none.
        self = .here(unsafe unsafeBitCast(call, to: (@Sendable () -> Void).self))
    }

    // A function, because the compiler (6.3) takes `call.isolation` for a use of the closure on its actor.
    private static func isolation(of call: @isolated(any) () -> Void) -> (any Actor)? { call.isolation }

    /// Calls the closure, and then goes on: at once, or as soon as the actor is free and the closure has returned.
    func run(then next: @escaping @Sendable () -> Void = {}) {
        switch self {
        case .here(let call):
            call()
            next()
        case .there(let call):
            Task {
                await call()
                next()
            }
        }
    }
}
