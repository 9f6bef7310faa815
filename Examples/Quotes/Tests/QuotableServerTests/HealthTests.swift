// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import QuotableServer

@Suite struct HealthTests {
    @Test func `The health route answers`() async throws {
        let application = QuotableServer.application(.init(), store: try Store(.memory))
        try await application.test(.router) { client in
            let response = try await client.execute(uri: "/health", method: .get)
            #expect(response.status == .ok)
        }
    }
}
