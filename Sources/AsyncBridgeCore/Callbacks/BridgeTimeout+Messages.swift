// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Forms that are not available, and whose message says which is; see `withCallback+Messages.swift`.

@_documentation(visibility: internal)
@available(*, unavailable, message: "Say the unit: .seconds(5), .milliseconds(500), .after(duration)")
extension BridgeTimeout: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Says how to write a timeout.
    public init(integerLiteral value: Int) { unreachable() }

    /// Says how to write a timeout.
    public init(floatLiteral value: Double) { unreachable() }
}
