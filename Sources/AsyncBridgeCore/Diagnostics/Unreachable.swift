// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The body of an unavailable form, which cannot be called.
package func unreachable() -> Never { fatalError("BUG: an unavailable function was called") }
