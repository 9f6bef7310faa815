// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

/// A call site that no other test uses, so that reports can be told apart.
///
/// The process has one handler for reports, tests run side by side, and each place is reported once.
struct Place: Sendable {
    static let fileID: StaticString = "AsyncBridgeTests/Place"

    private static let lastLine = Atomic<UInt>(0)

    let line: UInt = Self.lastLine.add(1, ordering: .relaxed).newValue

    init() { CollectedReports.begin() }

    var site: CallSite { CallSite(fileID: Self.fileID, line: self.line) }

    /// What has been reported about this place so far.
    var reports: [BridgeDiagnostics.Misuse] { CollectedReports.all(about: self.site) }
}
