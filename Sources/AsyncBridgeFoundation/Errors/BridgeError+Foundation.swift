// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import Foundation

extension BridgeInterruption: LocalizedError {
    /// Why the wait ended: the interruption's description.
    public var errorDescription: String? { self.description }
}

extension BridgeInterruption: CustomNSError {
    /// The domain, `AsyncBridge.BridgeInterruption`.
    public static var errorDomain: String { "AsyncBridge.BridgeInterruption" }

    /// 1 for a cancellation, 2 for a fault.
    public var errorCode: Int {
        switch self {
        case .cancelled: 1
        case .fault: 2
        }
    }

    /// The description, and the error as the untyped forms throw it.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: self.description, NSUnderlyingErrorKey: self.error]
    }
}

extension BridgeError: LocalizedError {
    /// What the API's own error says, or why the wait ended.
    public var errorDescription: String? {
        switch self {
        case .failure(let error): error.localizedDescription
        case .interruption(let interruption): interruption.description
        }
    }
}

extension BridgeError: CustomNSError {
    /// The domain, `AsyncBridge.BridgeError`.
    public static var errorDomain: String { "AsyncBridge.BridgeError" }

    /// 1 for the API's own error, 2 for an interruption.
    public var errorCode: Int {
        switch self {
        case .failure: 1
        case .interruption: 2
        }
    }

    /// The description, and the API's own error, or the interruption as the untyped forms throw it.
    public var errorUserInfo: [String: Any] {
        let underlying: any Error =
            switch self {
            case .failure(let error): error
            case .interruption(let interruption): interruption.error
            }
        return [NSLocalizedDescriptionKey: self.errorDescription ?? self.description, NSUnderlyingErrorKey: underlying]
    }
}
