// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An event during an upload.
@nonexhaustive
public enum UploadEvent: Sendable {
    /// The number of bytes sent so far, and the total.
    case progress(sent: Int64, expected: Int64?)

    /// The last event: the server has answered.
    case finished(data: Data, response: URLResponse)
}
