// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Dispatch

/// An old API: starts something, calls back on some queue, and returns what stops it.
public final class Oven: Sendable {
    /// It was to become hotter than it can.
    public struct TooHot: Error {}

    private let queue = DispatchQueue(label: "oven")

    /// Makes a cold oven.
    public init() {}

    /// Heats the oven, and calls back when it is warm.
    public func heat(
        to degrees: Int,
        completion: @escaping @Sendable (Int?, (any Error)?) -> Void
    ) -> DispatchWorkItem {
        let work = DispatchWorkItem { degrees > 250 ? completion(nil, TooHot()) : completion(degrees, nil) }
        self.queue.asyncAfter(deadline: .now() + .milliseconds(degrees), execute: work)
        return work
    }
}

// MARK: - The bridge

extension Oven {
    /// Heats the oven, and returns its temperature when it is warm.
    ///
    /// - Throws: `TooHot`; `CancellationError`, and then it does not heat any more; `BridgeFault` after a minute.
    public nonisolated(nonsending) func heat(to degrees: Int) async throws -> Int {
        try await withCallback(timeout: .seconds(60)) { callback in
            self.heat(to: degrees, completion: callback.handler())
        } onCancel: { work in
            work.cancel()
        }
    }
}
