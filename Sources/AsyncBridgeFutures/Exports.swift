// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Futures and channels speak of buffering policies, call sites and faults, which are the hub's.
@_exported public import AsyncBridge
