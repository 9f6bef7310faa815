// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridge
import Synchronization

/// The one handler for reports of this package's test process, which all test targets share.
package enum CollectedReports {
    private static let collected = Mutex<[CallSite: [BridgeDiagnostics.Misuse]]>([:])

    private static let installed: Void = {
        // Used here first: what Swift does at the first use of a type takes more stack than a small coroutine has.
        Self.add([], about: CallSite(fileID: "", line: 0))
        BridgeDiagnostics.setHandler { misuse in Self.add([misuse], about: misuse.made) }
    }()

    private static func add(_ misuses: [BridgeDiagnostics.Misuse], about made: CallSite) {
        self.collected.withLock { $0[made, default: []] += misuses }
    }

    /// Installs the handler, once.
    package static func begin() { self.installed }

    /// What has been reported about a place so far.
    package static func all(about made: CallSite) -> [BridgeDiagnostics.Misuse] {
        self.collected.withLock { $0[made] ?? [] }
    }
}
