// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Your own client".

import Foundation
import QuoteKit

#if AsyncHTTPClient
import QuoteKitAsyncHTTPClient
#endif

#if AsyncHTTPClient
func ownClient(_ url: URL) async throws -> Quote {
    try await AsyncHTTPClientTransport.withTransport { transport in
        let client = QuoteClient(
            host: QuotableHost(url),
            transport: transport,
            retryPolicy: RetryPolicy(maximumAttempts: 5)
        )
        return try await client.randomQuote(tags: ["time"])
    }
}
#endif
