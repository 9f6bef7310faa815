// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An error of the tests' own.
package struct Failure: Error, Equatable {
    package let number: Int

    package init(_ number: Int = 1) { self.number = number }
}
