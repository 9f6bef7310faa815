// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The number of letters to add, drop, replace or swap with their neighbour to make one word of another.
///
/// - Returns: The distance, or nil if it is greater than `limit`.
/// - Complexity: O(*m* · *n*).
func editDistance(_ first: [UInt8], _ second: [UInt8], limit: Int) -> Int? {
    if abs(first.count - second.count) > limit { return nil }
    if first.isEmpty || second.isEmpty { return max(first.count, second.count) }
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for row in 1...first.count {
        var current = [row]
        current.reserveCapacity(second.count + 1)
        for column in 1...second.count {
            let isSame = first[row - 1] == second[column - 1]
            var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
            if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                best = min(best, beforeLast[column - 2] + 1)
            }
            current.append(best)
        }
        if current.allSatisfy({ $0 > limit }) { return nil }
        (beforeLast, last) = (last, current)
    }
    return last[second.count] <= limit ? last[second.count] : nil
}
