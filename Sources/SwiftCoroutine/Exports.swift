// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Everything that SwiftCoroutine's users import with it.

@_exported public import AsyncBridgeFoundation
@_exported public import Coroutines

#if Combine
@_exported public import AsyncBridgeCombine
#endif
