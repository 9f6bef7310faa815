// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CancellationError {
    /// Lets `catch CoFutureError.canceled`, `catch CoChannelError.canceled` and `case .failure(CoFutureError.canceled)`
    /// match.
    ///
    /// - Parameters:
    ///   - pattern: Any.
    ///   - error: The error.
    /// - Returns: Whether the error is a `CancellationError`.
    /// - Complexity: O(1).
    public static func ~= (pattern: CancellationError, error: any Error) -> Bool { error is CancellationError }
}
