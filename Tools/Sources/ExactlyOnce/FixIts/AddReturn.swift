// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Adds the `return` that is missing after a delivery.
enum AddReturn {
    static func fix(after first: Delivery, before second: Delivery, in scope: ScopeReport) -> Fix? { nil }
}
