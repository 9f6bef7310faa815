// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A library with listeners and handles, which says nothing of threads.

open class SignIn {
    public final class Listener {
        let call: (String?) -> Void

        init(_ call: @escaping (String?) -> Void) { self.call = call }
    }

    public init() {}

    open func addStateDidChangeListener(_ call: @escaping (String?) -> Void) -> Listener {
        call("Ada")
        return Listener(call)
    }

    open func removeStateDidChangeListener(_ listener: Listener) { print("the listener was removed") }
}
