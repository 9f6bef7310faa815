// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// A program that uses the hub and nothing else.
///
/// `Scripts/check-lean` builds it, looks at what it links, and compares its output.
@main
struct LeanConsumer {
    static func main() async throws {
        let answered = try await withCallback { callback in callback.resume(returning: 42) }
        print("answered:", answered)

        let late = try await withCallback { callback in
            Task { callback.resume(returning: 43) }
        }
        print("late:", late)

        do {
            _ = try await withCallback(of: Int.self) { _ in }
        } catch let fault as BridgeFault {
            print("dropped:", fault.code == .callbackDropped)
        }
    }
}
