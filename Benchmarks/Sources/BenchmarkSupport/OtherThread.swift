// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Synchronization

/// A second real thread that runs the closures given to it, and spins while it has none.
///
/// It spins because waking a thread takes micro-seconds, more than all that is being compared.
public final class OtherThread: Sendable {
    private let closures = Mutex<[@Sendable () -> Void]>([])
    private let count = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)

    private init() {}

    /// Does work beside a new thread, and ends the thread.
    ///
    /// - Parameter body: The work; does not run on the new thread.
    /// - Throws: What the work throws.
    public static func run(_ body: @Sendable (OtherThread) async throws -> Void) async throws {
        let thread = OtherThread()
        Thread.detachNewThread { thread.loop() }
        defer { thread.isStopped.store(true, ordering: .releasing) }
        try await body(thread)
    }

    /// Runs a closure on the thread.
    ///
    /// - Parameter closure: What to run.
    public func later(_ closure: @escaping @Sendable () -> Void) {
        self.closures.withLock { $0.append(closure) }
        self.count.add(1, ordering: .releasing)
    }

    private func loop() {
        var idle = 0
        while !self.isStopped.load(ordering: .acquiring) {
            guard self.count.load(ordering: .acquiring) > 0 else {
                idle += 1
                // Lets others run on a machine with few cores.
                if idle > 10_000 { sched_yield() }
                continue
            }
            idle = 0
            let closure = self.closures.withLock { $0.removeFirst() }
            self.count.subtract(1, ordering: .relaxed)
            closure()
        }
    }
}
