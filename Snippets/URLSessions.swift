// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The form with `onCancel:` on an API that everybody knows.

import AsyncBridge
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func load(_ url: URL, session: URLSession) async throws -> Int {
    // snippet.SESSION
    let (data, response) = try await withCallback { callback in
        let task = session.dataTask(with: url, completionHandler: callback.handler())
        task.resume()
        return task
    } onCancel: { task in
        task.cancel()
    }
    // snippet.end
    print(response)
    return data.count
}

do {
    print(try await load(URL(fileURLWithPath: #filePath), session: .shared))
} catch {
    // Not every platform loads files.
    print(error)
}
