// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The form with `onCancel:` on an API that may be cancelled at any moment, also when its answer is on its way.

import AsyncBridge

func quote(withID id: Int, from client: QuoteClient) async throws -> String {
    // snippet.REQUEST
    let quote = try await withCallback { callback in
        client.request(id: id, completion: callback.handler())
    } onCancel: { request in
        request.cancel()
    }
    // snippet.end
    return quote
}

/// A client from before async/await, whose requests can be cancelled.
final class QuoteClient: Sendable {
    /// The request's own completion handler comes once in any case.
    struct Request: Sendable {
        fileprivate let work: Task<Void, Never>

        func cancel() { self.work.cancel() }
    }

    func request(id: Int, completion: @escaping @Sendable (String?, (any Error)?) -> Void) -> Request {
        Request(
            work: Task {
                if Task.isCancelled {
                    completion(nil, CancellationError())
                } else {
                    completion("Well begun is half done.", nil)
                }
            }
        )
    }
}

print(try await quote(withID: 1, from: QuoteClient()))

let impatient = Task { try await quote(withID: 1, from: QuoteClient()) }
impatient.cancel()
do {
    print(try await impatient.value)
} catch is CancellationError {
    print("cancelled")
}
