// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An event during a download.
@nonexhaustive
public enum DownloadEvent: Sendable {
    /// The number of bytes received so far, and the expected total, which not every server sends.
    case progress(received: Int64, expected: Int64?)

    /// The last event: the file is complete, and belongs to the receiver.
    case finished(file: URL, response: URLResponse)
}
