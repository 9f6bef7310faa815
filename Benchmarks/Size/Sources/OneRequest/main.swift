// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

if let address = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) {
    print(try await URLSession.shared.bridge.data(from: address).0.count)
}
