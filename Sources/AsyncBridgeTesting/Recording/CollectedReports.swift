// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridge
import Synchronization

/// The one handler for reports of this package's test process, which all test targets share.
package enum CollectedReports {
    private static let collected = Mutex<[CallSite: [Misuse]]>([:])

    private static let installed: Void = BridgeDiagnostics.setHandler { misuse in
        CollectedReports.collected.withLock { $0[misuse.made, default: []].append(misuse) }
    }

    /// Installs the handler, once.
    package static func begin() { self.installed }

    /// What has been reported about a place so far.
    package static func all(about made: CallSite) -> [Misuse] { self.collected.withLock { $0[made] ?? [] } }
}
