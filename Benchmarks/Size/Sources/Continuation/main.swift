// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

print(
    await withCheckedContinuation { continuation in
        answer { continuation.resume(returning: $0) }
    }
)

private func answer(_ completion: @escaping @Sendable (Int) -> Void) { completion(1) }
