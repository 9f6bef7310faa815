// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How long a chain is in a test of chains that are longer than any stack is deep.
package enum ChainDepth {
    #if THREAD_SANITIZER
    package static let standard = 1000
    #elseif DEBUG
    package static let standard = 100_000
    #else
    package static let standard = 1_000_000
    #endif
}
