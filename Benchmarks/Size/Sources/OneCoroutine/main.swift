// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines

print(try await withCoroutine { try Coroutine.await { await answer() } })

private func answer() async -> Int { 1 }
