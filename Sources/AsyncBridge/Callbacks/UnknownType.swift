// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What an answer, or a handle to cancel with, is called in messages of the compiler, where its type is not known.
///
/// There is none at run time. It has whatever members are asked of it, so that the compiler finds no other fault.
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

/// Ends a form that is not available, which nobody can call.
package func unreachable() -> Never { fatalError("BUG: a form was called that is not available") }
