// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Forms that are not available, and whose message says which is; see `withCallback+Messages.swift`.

// MARK: Handlers

extension Callback {
    /// Says which handler is for an API that cannot fail.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            An API without an error takes callback.valueHandler(); one with an error alone, \
            callback.handler { error in … }
            """
    )
    public func handler(fileID: StaticString = #fileID, line: UInt = #line) -> @Sendable (Value) -> Void {
        unreachable()
    }

    /// Says that the callback takes errors of one type.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            This callback takes no error, or errors of one type. Leave out throwing: and ifInterrupted:, \
            or make the answer with callback.handler { … }
            """
    )
    public func handler(fileID: StaticString = #fileID, line: UInt = #line) -> @Sendable (Value?, (any Error)?) -> Void
    { unreachable() }

    /// Says that the callback takes errors of one type.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            This callback takes no error, or errors of one type. Leave out throwing: and ifInterrupted:, \
            or make the answer with callback.handler { … }
            """
    )
    public func handler(fileID: StaticString = #fileID, line: UInt = #line)
        -> @Sendable (Result<Value, any Error>) -> Void
    { unreachable() }

    /// Says which handler is for a value and an error.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "An API with an error takes callback.handler()")
    public func valueHandler(fileID: StaticString = #fileID, line: UInt = #line)
        -> @Sendable (Value?, (any Error)?) -> Void
    { unreachable() }
}

extension Callback where Value == Void {
    /// Says which handler is for success and an error.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            Is false a failure? Then callback.successHandler(). Is it an answer? Then withCallback(of: Bool.self)
            """
    )
    public func handler(fileID: StaticString = #fileID, line: UInt = #line) -> @Sendable (Bool, (any Error)?) -> Void {
        unreachable()
    }

    /// Says which handler is for success alone.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            Is false a failure? Then callback.successHandler(). Is it an answer? Then withCallback(of: Bool.self) and \
            callback.valueHandler()
            """
    )
    @_disfavoredOverload
    public func handler(fileID: StaticString = #fileID, line: UInt = #line) -> @Sendable (Bool) -> Void {
        unreachable()
    }

    /// Says which handler is for success without a value.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "An API that calls back with nothing takes callback.handler()")
    public func valueHandler(fileID: StaticString = #fileID, line: UInt = #line) -> @Sendable () -> Void {
        unreachable()
    }

    /// Says which handler is for an error alone.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "An API with an error alone takes callback.handler()")
    public func successHandler(fileID: StaticString = #fileID, line: UInt = #line) -> @Sendable ((any Error)?) -> Void {
        unreachable()
    }

    /// Says that the callback takes errors of one type.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            This callback takes no error, or errors of one type. Leave out throwing: and ifInterrupted:, \
            or make the answer with callback.handler { … }
            """
    )
    @_disfavoredOverload
    public func successHandler(fileID: StaticString = #fileID, line: UInt = #line) -> @Sendable (Bool) -> Void {
        unreachable()
    }

    /// Says that the callback takes errors of one type.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            This callback takes no error, or errors of one type. Leave out throwing: and ifInterrupted:, \
            or make the answer with callback.handler { … }
            """
    )
    public func successHandler(fileID: StaticString = #fileID, line: UInt = #line)
        -> @Sendable (Bool, (any Error)?) -> Void
    { unreachable() }
}

extension Callback {
    /// Says that the handler is made by a call.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "Call it: callback.handler()")
    public var handler: HandlerWithoutParentheses { unreachable() }
}

// MARK: Types that are no errors

extension Callback where Failure == any Error, Value: Sendable {
    /// Says that what is called like an error is none.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            The handler gets no 'Error' that tells of failure. Make the answer: callback.handler { … }. \
            If another type tells of it, name that: callback.handler(failure: Problem.self)
            """
    )
    @_disfavoredOverload
    public func handler<NoError>(fileID: StaticString = #fileID, line: UInt = #line)
        -> @Sendable (Value?, NoError?) -> Void
    { unreachable() }

    /// Says that what is called like an error is none.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            The handler gets no 'Error' that tells of failure. Make the answer: callback.handler { … }. \
            If another type tells of it, name that: callback.handler(failure: Problem.self)
            """
    )
    @_disfavoredOverload
    public func handler<NoError>(fileID: StaticString = #fileID, line: UInt = #line)
        -> @Sendable (NoError?, Value?) -> Void
    { unreachable() }

    /// Says that what is called like an error is none.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            The handler gets no 'Error' that tells of failure. Make the answer: callback.handler { … }. \
            If another type tells of it, name that: callback.handler(failure: Problem.self)
            """
    )
    @_disfavoredOverload
    public func handler<A: Sendable, B: Sendable, NoError>(fileID: StaticString = #fileID, line: UInt = #line)
        -> @Sendable (A?, B?, NoError?) -> Void where Value == (A, B)
    { unreachable() }

    /// Says that what is called like an error is none.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            The handler gets no 'Error' that tells of failure. Make the answer: callback.handler { … }. \
            If another type tells of it, name that: callback.handler(failure: Problem.self)
            """
    )
    @_disfavoredOverload
    public func handler<A: Sendable, B: Sendable, C: Sendable, NoError>(
        fileID: StaticString = #fileID,
        line: UInt = #line
    )
        -> @Sendable (A?, B?, C?, NoError?) -> Void where Value == (A, B, C)
    { unreachable() }

    /// Says that what is called like an error is none.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            The handler gets no 'Error' that tells of failure. Make the answer: callback.handler { … }. \
            If another type tells of it, name that: callback.handler(failure: Problem.self)
            """
    )
    @_disfavoredOverload
    public func errorHandler<NoError>(fileID: StaticString = #fileID, line: UInt = #line)
        -> @Sendable (NoError) -> Void
    { unreachable() }
}

extension Callback where Failure == any Error, Value == Void {
    /// Says that what is called like an error is none.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            The handler gets no 'Error' that tells of failure. Make the answer: callback.handler { … }. \
            If another type tells of it, name that: callback.handler(failure: Problem.self)
            """
    )
    @_disfavoredOverload
    public func handler<NoError>(fileID: StaticString = #fileID, line: UInt = #line)
        -> @Sendable (NoError?) -> Void
    { unreachable() }
}

extension Callback where Failure == any Error {
    /// Says that what is called `Result` is a type of the user's, or that the handler gets something else.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            The handler gets neither the value nor Swift's 'Result' with it. Make the answer: callback.handler { … }. \
            One for failures, beside one for success, is callback.errorHandler(). With @Bridged, if 'Result' is a \
            type of yours, say so: .values
            """
    )
    @_disfavoredOverload
    public func handler<Other>(fileID: StaticString = #fileID, line: UInt = #line) -> @Sendable (Other) -> Void {
        unreachable()
    }
}

// MARK: Closures

extension Callback {
    /// Says which error the closure throws.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            This callback takes no error, or errors of one type. Say which the closure throws, \
            { value, error throws(LoaderError) in … }, or leave out throwing: and ifInterrupted:
            """
    )
    public func handler<each Argument>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (repeat each Argument) throws -> Value
    ) -> @Sendable (repeat each Argument) -> Void { unreachable() }

    /// Says that the closure returns the answer.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: "The closure returns the answer, and does not answer by itself: callback.handler { quote in quote }"
    )
    @_disfavoredOverload
    public func handler<each Argument>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (repeat each Argument) throws(Failure) -> Void
    ) -> @Sendable (repeat each Argument) -> Void { unreachable() }

    /// Says that the closure returns the answer.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: "The closure returns the answer, and does not answer by itself: callback.handler { quote in quote }"
    )
    public func handler<Argument>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (inout Argument) throws(Failure) -> Void
    ) -> @Sendable (inout Argument) -> Void { unreachable() }

    /// Says that a parameter is constant, where otherwise the handler for an `inout` one would be named.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "A closure's parameter is constant. Copy it: { quote in var quote = quote; … }")
    public func handler<Argument>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (inout Argument) throws(Failure) -> Value
    ) -> @Sendable (Argument) -> Void { unreachable() }
}

// MARK: Answers

extension Callback {
    /// Says how to answer with one value.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "Write callback.resume(returning:)")
    @discardableResult
    public func callAsFunction(_ value: Value) -> Bool { unreachable() }

    /// Says how to answer with one value.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "Write callback.resume(returning:)")
    @discardableResult
    public func resume(_ value: Value) -> Bool { unreachable() }

    /// Says how to answer with a value.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "This answer has a value: write callback.resume(returning:)")
    @discardableResult
    public func resume(fileID: StaticString = #fileID, line: UInt = #line) -> Bool { unreachable() }

    /// Says that the callback takes errors of one type.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            This callback takes no error, or errors of one type. Leave out throwing: and ifInterrupted:, \
            or answer with callback.handler { … }
            """
    )
    @discardableResult
    public func resume(throwing error: any Error) -> Bool { unreachable() }

    /// Says what to do with an error that may be missing.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "The error may be nil: unwrap it, or give the API callback.handler()")
    @discardableResult
    public func resume(throwing error: (any Error)?) -> Bool { unreachable() }
}
