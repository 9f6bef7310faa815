// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension ClosedRange<Int> {
    /// The range in parts that a bridge takes in time even if it is slow when it keeps thousands of elements.
    var parts: [ClosedRange<Int>] {
        let size = 500
        return stride(from: self.lowerBound, through: self.upperBound, by: size).map { first in
            first...Swift.min(first + size - 1, self.upperBound)
        }
    }
}
