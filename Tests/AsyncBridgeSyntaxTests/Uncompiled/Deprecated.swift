// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeMacros

// The compiler warns in the twin of a deprecated function, unless the twin is deprecated too.
struct Deprecated {
    @Bridged
    @available(*, deprecated, renamed: "load()")
    func load(completion: @escaping () -> Void) {}

    @Bridged
    @available(*, deprecated, message: "Too slow")
    @_spi(Internal)
    #if canImport(Darwin)
    @available(macOS 15, *)
    #endif
    @MainActor
    @inlinable
    open func slow(completion: @escaping () -> Void) {}

    // The twin sends to the twin.
    @Bridged
    @available(*, deprecated, renamed: "Deprecated.find(_:completion:)")
    func search(named name: String, completion: @escaping (Int) -> Void) {}

    @Bridged
    @available(*, deprecated, renamed: "find(_:_:)")
    func search(_ name: String, _ completion: @escaping (Int) -> Void) {}

    @Bridged
    @available(*, deprecated, renamed: "find()")
    func search() async -> Int { 0 }

    @Bridged
    @available(*, deprecated, renamed: "find")
    func searchOnce(completion: @escaping (Int) -> Void) {}
}
