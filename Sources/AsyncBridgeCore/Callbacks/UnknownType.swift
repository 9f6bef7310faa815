// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The name of an answer, or of a handle to cancel with, in compiler messages, if its type is not known.
///
/// There is none at run time. It has every member, so that the compiler reports no other error.
@_documentation(visibility: internal)
@dynamicMemberLookup
@dynamicCallable
public struct UnknownType: Sendable {
    private init() {}

    /// A member of any name.
    public subscript(dynamicMember _: String) -> UnknownType { self }

    /// A call of any shape.
    @discardableResult
    public func dynamicallyCall(withKeywordArguments _: KeyValuePairs<String, Any>) -> UnknownType { self }
}

/// The name of a handler in compiler messages that is not called.
@_documentation(visibility: internal)
public struct HandlerWithoutParentheses: Sendable {
    private init() {}
}
