// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a twin is to be like: an argument of `@Bridged`.
///
/// The macro reads the words where they stand; nothing makes a value of this type when a program runs.
public struct BridgedOption: Sendable {
    private init() {}

    /// The value need not be `Sendable`: the API promises to give it up when it calls back.
    public static var unchecked: Self { Self() }

    /// The twin runs on its caller's actor: `nonisolated(nonsending)`.
    public static var nonsending: Self { Self() }

    /// A cancelled task goes on waiting for the answer, as for what is saved.
    public static var cooperative: Self { Self() }

    /// `nil` without an error is an answer: for `(Value?, (any Error)?) -> Void`.
    public static var optional: Self { Self() }

    /// What the handler gets is what the twin returns, whatever the types are called: none of it is an error, and no
    /// `Result` is Swift's.
    public static var values: Self { Self() }

    /// The twin's name ends with "Async".
    public static var asyncSuffix: Self { Self() }

    /// Adds a function that returns a `CoFuture`, whose name ends with "Future".
    ///
    /// Wants `import AsyncBridgeFutures`.
    public static var future: Self { Self() }

    /// Adds a function that returns a publisher, whose name ends with "Publisher".
    ///
    /// Wants `import AsyncBridgeCombine`.
    public static var publisher: Self { Self() }

    /// How the value that the function returns stops its work, if not by `cancel()`.
    ///
    /// - Parameter stop: Stops the work: `{ $0.stop() }`. `nil` ignores the value.
    /// - Returns: The option.
    public static func cancel(_ stop: ((AnyHandle) -> Void)?) -> Self { Self() }

    /// How the value that the function returns stops its work, where there may be none.
    ///
    /// - Parameter stop: Stops the work: `{ $0?.stop() }`. It is called with `nil` too.
    /// - Returns: The option.
    @_disfavoredOverload
    public static func cancel(_ stop: (AnyHandle?) -> Void) -> Self { Self() }

    /// How the value that the function returns stops its work, with its type.
    ///
    /// - Parameter stop: Stops the work: `{ (request: Request) in request.stop(.now) }`.
    /// - Returns: The option.
    @_disfavoredOverload
    public static func cancel<Handle>(_ stop: (Handle) -> Void) -> Self { Self() }
}

/// How `@DelegateEvents` passes values on.
public struct DelegateOption: Sendable {
    private init() {}

    /// The values need not be `Sendable`: the sender promises to give them up when it calls its delegate.
    ///
    /// Nor must what `attach` holds: the sender bears it that its delegate is set to `nil` on another thread.
    public static var unchecked: Self { Self() }
}

/// A handle of any type, so that `.cancel { $0.stop() }` means something before the compiler knows which.
///
/// The twin contains the closure with the true type of the handle: a member that it lacks is an error there.
@dynamicMemberLookup
@dynamicCallable
public struct AnyHandle: Sendable {
    private init() {}

    /// A member of the handle.
    ///
    /// - Parameter member: Its name.
    public subscript(dynamicMember member: String) -> AnyHandle { self }

    /// A member that may be missing, for `$0.token?.cancel()`.
    ///
    /// - Parameter member: Its name.
    @_disfavoredOverload
    public subscript(dynamicMember member: String) -> AnyHandle? { self }

    /// A call of a member.
    ///
    /// - Parameter arguments: What it is called with.
    /// - Returns: What it returns.
    @discardableResult
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any>) -> AnyHandle { self }
}
