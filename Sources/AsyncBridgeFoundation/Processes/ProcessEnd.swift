// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if os(macOS) || !canImport(Darwin)
public import Foundation

/// How a process ended; not on iOS, tvOS, watchOS and visionOS, which have no `Process`.
public struct ProcessEnd: Sendable, Hashable {
    /// Whether it ended by itself or by a signal.
    public let reason: Process.TerminationReason

    /// Its exit status, or the number of the signal.
    public let status: Int32

    package init(reason: Process.TerminationReason, status: Int32) {
        self.reason = reason
        self.status = status
    }

    /// Whether it ended by itself with status 0.
    public var isSuccess: Bool { self.reason == .exit && self.status == 0 }
}
#endif
