// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import GRDB
import Synchronization

/// Keeps queries running until it is opened.
final class Gate: Sendable {
    /// Records when a query has begun.
    let log = EventLog()
    private let isClosed = Atomic(true)
    private let count = Atomic(0)

    /// How often a query has looked.
    var looks: Int { self.count.load(ordering: .relaxed) }

    func open() { self.isClosed.store(false, ordering: .relaxed) }

    /// The function for SQL.
    var function: DatabaseFunction {
        DatabaseFunction("isClosed", argumentCount: 0) { _ in
            if self.count.add(1, ordering: .relaxed).oldValue == 0 { self.log.record("begun") }
            return self.isClosed.load(ordering: .relaxed)
        }
    }
}
