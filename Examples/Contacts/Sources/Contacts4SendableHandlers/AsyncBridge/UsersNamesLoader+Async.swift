// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Async functions for those of UsersNamesLoader.swift that have a completion handler, written by “asyncbridge wrap”.
// A block without the line above it is yours: the tool does not touch it again.

import AsyncBridge
import ContactsModel
import Dispatch
import GRDB

// asyncbridge: UsersNamesLoader.load(completion:) 68a193a2 unproven
extension UsersNamesLoader {
    package func load() async throws -> [String] {
        try await AsyncBridge.withCallback(of: [String].self) { callback in
            self.load(completion: callback.handler())
        }
    }
}
// asyncbridge: end
