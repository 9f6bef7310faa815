// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import Foundation

extension BridgeFault: LocalizedError {
    /// What went wrong, and where the bridge was made: the fault's description.
    public var errorDescription: String? { self.description }
}

extension BridgeFault: CustomNSError {
    /// The domain, `AsyncBridge.BridgeFault`.
    public static var errorDomain: String { "AsyncBridge.BridgeFault" }

    /// A number for each code, the same in all versions.
    public var errorCode: Int { self.code.number }

    /// The description.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: self.description] }
}

extension BridgeDiagnostics.SystemError: LocalizedError {
    /// What the system refused: the error's description.
    public var errorDescription: String? { self.description }
}
