// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeFutures
public import Foundation

extension CoFutureError: LocalizedError {
    /// What went wrong and what to do about it: the error's description.
    public var errorDescription: String? { self.description }
}

extension CoFutureError: CustomNSError {
    /// The domain, `AsyncBridgeFutures.CoFutureError`.
    public static var errorDomain: String { "AsyncBridgeFutures.CoFutureError" }

    /// A number for each case, the same in all versions.
    public var errorCode: Int {
        switch self {
        case .timeout: 1
        case .promiseDropped: 2
        case .noFutures: 3
        }
    }

    /// The description.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: self.description] }
}

extension CoChannelError: LocalizedError {
    /// What went wrong and what to do about it: the error's description.
    public var errorDescription: String? { self.description }
}

extension CoChannelError: CustomNSError {
    /// The domain, `AsyncBridgeFutures.CoChannelError`.
    public static var errorDomain: String { "AsyncBridgeFutures.CoChannelError" }

    /// A number for each case, the same in all versions.
    public var errorCode: Int {
        switch self {
        case .closed: 1
        case .senderDropped: 2
        case .receiverDropped: 3
        }
    }

    /// The description.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: self.description] }
}
