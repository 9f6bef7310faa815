// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Who imports the hub has callbacks too. Who needs nothing else imports the core alone, and links a third as much.
@_exported public import AsyncBridgeCore
