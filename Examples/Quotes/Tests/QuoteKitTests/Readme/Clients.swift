// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "A client of your own", and the server in-process.

import Foundation
import QuotableServer
import QuoteKit

#if AsyncHTTPClient
import QuoteKitAsyncHTTPClient
#endif

func server() async throws {
    try await QuoteServer.withServer { address in
        // address.url is "http://127.0.0.1:<port>"; the server ends with this closure.
        _ = address.url
    }
}

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
