// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// What happens in the course of an upload.
@nonexhaustive
public enum UploadEvent: Sendable {
    /// So many bytes have gone out, of so many.
    case progress(sent: Int64, expected: Int64?)

    /// The server has answered: the last event.
    case finished(data: Data, response: URLResponse)
}
