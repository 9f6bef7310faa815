// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// snippet.FIRST
import AsyncBridge
import Dispatch

// An old API, which stays as it is.
func fetchQuote(
    id: Int,
    completion: @escaping @Sendable (String?, (any Error)?) -> Void
) -> DispatchWorkItem {
    let request = DispatchWorkItem { completion("Well begun is half done.", nil) }
    DispatchQueue.global().async(execute: request)
    return request
}

let quote = try await withCallback(timeout: .seconds(5)) { callback in
    fetchQuote(id: 1, completion: callback.handler())
} onCancel: { request in
    request.cancel()
}
print(quote)
// snippet.end
