// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

extension TransferError: LocalizedError {
    /// What went wrong, and what the error that came with the data says.
    public var errorDescription: String? {
        guard let error = self.underlyingError else { return self.code.description }
        return "\(self.code): \(error.localizedDescription)"
    }
}

extension TransferError: CustomNSError {
    /// The domain, `AsyncBridgeFoundation.TransferError`.
    public static var errorDomain: String { "AsyncBridgeFoundation.TransferError" }

    /// A number for each code, the same in all versions.
    public var errorCode: Int { self.code.number }

    /// The description, and the error that came with the data, if any.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: self.errorDescription ?? self.description]
        if let error = self.underlyingError { info[NSUnderlyingErrorKey] = error }
        return info
    }
}
