// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import Foundation

extension ReportedFailure: LocalizedError {
    /// What the API reported: the failure's description.
    public var errorDescription: String? { self.description }
}

extension ReportedFailure: CustomNSError {
    /// The domain, `AsyncBridge.ReportedFailure`, whatever the type of the value.
    public static var errorDomain: String { "AsyncBridge.ReportedFailure" }

    /// Always 1: the value is not in a number.
    public var errorCode: Int { 1 }

    /// The description.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: self.description] }
}
