// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Forms that are not available, and whose message says which is; see `withCallback+Messages.swift`.

extension CallbackSequence {
    /// Says what the builder must return.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            The builder returns a closure that stops the source: `return { watch.stop() }`. If it is stopped with \
            sink.onTermination(_:), `return {}`.
            """
    )
    public init<Source>(
        buffering: BufferingPolicy = .unbounded,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ build: @escaping @Sendable (Sink) -> Source
    ) { unreachable() }
}

extension CallbackSequence.Sink {
    /// Says that a parameter is constant, where otherwise the handler for an `inout` one would be named.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "A closure's parameter is constant. Copy it: { quote in var quote = quote; … }")
    public func handler<Argument>(_ element: @escaping @Sendable (inout Argument) throws(Failure) -> Element)
        -> @Sendable (Argument) -> Void
    { unreachable() }
}
