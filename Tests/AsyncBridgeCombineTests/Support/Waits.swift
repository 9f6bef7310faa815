// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge

/// How many waits that began at a place are going on: each is parked, or about to be in the very next step.
func waits(at site: CallSite) -> Int { BridgeDiagnostics.pendingWaits.count { $0.made == site } }
#endif
