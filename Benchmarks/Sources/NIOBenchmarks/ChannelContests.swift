// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeNIO
import BenchmarkSupport
import Coroutines
import NIOCore
import NIOPosix

/// Elements through a channel's handlers.
enum ChannelContests {
    static let contests: [Contest] = []
}
