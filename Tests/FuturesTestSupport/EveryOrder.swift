// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The choices of one run, made so that in the end every row of choices has been made once.
package struct Choices {
    private var row: [(choice: Int, count: Int)] = []
    private var position = 0

    fileprivate init() {}

    /// One of so many.
    package mutating func choose(among count: Int) -> Int {
        precondition(count > 0, "there is nothing to choose from")
        if self.position == self.row.count { self.row.append((0, count)) }
        precondition(self.row[self.position].count == count, "the run is not the same each time")
        defer { self.position += 1 }
        return self.row[self.position].choice
    }

    /// The next row, if there is one more.
    fileprivate mutating func advance() -> Bool {
        self.position = 0
        while let last = self.row.popLast() {
            guard last.choice + 1 < last.count else { continue }
            self.row.append((last.choice + 1, last.count))
            return true
        }
        return false
    }
}

/// Runs a closure for every row of choices that it makes.
///
/// For worlds that cannot be copied: each run begins anew, and makes the choices of the run before up to the last that
/// differs.
///
/// - Returns: The number of runs.
package func everyOrder(_ run: (inout Choices) throws -> Void) rethrows -> Int {
    var choices = Choices()
    var runs = 0
    repeat {
        runs += 1
        try run(&choices)
    } while choices.advance()
    return runs
}
