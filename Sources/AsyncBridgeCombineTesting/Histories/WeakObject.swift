// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// Tells whether an object is gone; what is no object is.
///
/// Safe: a weak reference may be read on any thread, and is set once.
final class WeakObject: @unchecked Sendable {
    private weak let object: AnyObject?

    init(_ value: Any) { self.object = type(of: value) is AnyClass ? value as AnyObject : nil }

    var isGone: Bool { self.object == nil }

    func isSame(as value: Any) -> Bool {
        guard let object, type(of: value) is AnyClass else { return false }
        return object === value as AnyObject
    }
}
#endif
