// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A value that no other code can reach, on its way to its next owner.
///
/// For where the compiler cannot follow a `sending` value: a stored property, an enum's payload.
///
/// Safe: it is filled with `sending` values or with values moved out of a ``Payload``, and emptied once.
@usableFromInline
package struct Disconnected<Value>: @unchecked Sendable {
    @usableFromInline nonisolated(unsafe) let value: Value

    /// Takes a value that, as the caller knows, no other code has.
    @_alwaysEmitIntoClient
    package init(unchecked value: __owned Value) { unsafe self.value = value }

    /// Gives the value to the caller.
    ///
    /// Call once.
    @_alwaysEmitIntoClient
    package consuming func take() -> sending Value { unsafe self.value }
}
