// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridgeTesting

/// A test's clock that counts the sleeps on it.
package final class CountedClock: Clock {
    private struct Counts: Sendable {
        var begun = 0
        var ended = 0
        var cancelled = 0
    }

    private let clock = TestClock()
    private let counts = Watched(Counts())

    package init() {}

    package var now: TestClock.Instant { self.clock.now }

    package var minimumResolution: Duration { .zero }

    /// How many sleeps have been cancelled.
    package var cancelledSleeps: Int { self.counts.value.cancelled }

    package func sleep(until deadline: TestClock.Instant, tolerance: Duration? = nil) async throws {
        self.counts.update { $0.begun += 1 }
        defer { self.counts.update { $0.ended += 1 } }
        do { try await self.clock.sleep(until: deadline, tolerance: tolerance) } catch {
            self.counts.update { $0.cancelled += 1 }
            throw error
        }
    }

    /// Moves the time, and wakes the sleepers whose time has come.
    package func advance(by duration: Duration) { self.clock.advance(by: duration) }

    /// Returns when a sleep has begun: its deadline stands, so the time may be moved from then on.
    package func hasSleeper() async { try? await self.counts.wait { $0.begun > 0 } }

    /// Returns when every sleep has ended.
    package func hasNoSleeper() async { try? await self.counts.wait { $0.begun > 0 && $0.begun == $0.ended } }
}
