// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSession {
    /// The async view of this session.
    ///
    /// ```swift
    /// let (data, response) = try await session.bridge.data(for: request)
    /// ```
    ///
    /// - Complexity: O(1).
    public var bridge: BridgedURLSession { self.bridge(cancellation: .standard) }

    /// The async view of this session, with a choice of what cancelling does to a transfer.
    ///
    /// - Parameter cancellation: What happens to a transfer that no caller waits for any more.
    /// - Returns: The view.
    /// - Complexity: O(1).
    public func bridge(cancellation: TransferCancellation) -> BridgedURLSession {
        BridgedURLSession(session: self, cancellation: cancellation)
    }
}
