// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization

/// A call site that no other test uses, so that reports can be told apart.
///
/// The process has one handler for reports, tests run side by side, and each place is reported once.
struct MisusePlace: Sendable {
    private static let fileID: StaticString = "CoroutinesTests/MisusePlace"
    private static let lastLine = Atomic<UInt>(0)

    let line: UInt = Self.lastLine.add(1, ordering: .relaxed).newValue

    init() { CollectedReports.begin() }

    var fileID: StaticString { Self.fileID }

    /// What has been reported about this place so far.
    var reports: [BridgeDiagnostics.Misuse] { CollectedReports.all(about: self.site) }

    /// Lets others run until something has been reported.
    func reported() async { await until { !self.reports.isEmpty } }

    private var site: CallSite { CallSite(fileID: Self.fileID, line: self.line) }
}
