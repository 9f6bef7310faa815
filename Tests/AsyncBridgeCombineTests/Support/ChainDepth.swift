// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// How long a chain is in a test of chains that are longer than any stack is deep.
enum ChainDepth {
    #if THREAD_SANITIZER
    static let standard = 1000
    #elseif DEBUG
    static let standard = 100_000
    #else
    static let standard = 1_000_000
    #endif
}
#endif
