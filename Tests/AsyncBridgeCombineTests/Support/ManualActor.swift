// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Testing

/// An actor whose jobs a test runs by hand.
actor ManualActor {
    nonisolated let executor = ManualExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }

    /// Runs jobs as they come, until something is so.
    nonisolated func run(until condition: () -> Bool) async {
        await TestSupport.until {
            self.executor.run()
            return condition()
        }
    }
}
#endif
