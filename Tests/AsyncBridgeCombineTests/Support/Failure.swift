// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// An error of the tests' own.
struct Failure: Error, Equatable {
    let number: Int

    init(_ number: Int = 1) { self.number = number }
}
#endif
