// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Adds the `else` or the delivery that is missing.
enum AddDelivery {
    static func fix(for end: Trace.End, in scope: ScopeReport) -> Fix? { nil }
}
