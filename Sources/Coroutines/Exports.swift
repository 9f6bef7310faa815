// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `import Coroutines` is enough for everything that coroutines wait for.
@_exported public import AsyncBridgeFutures
