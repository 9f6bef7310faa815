// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// What happens in the course of a download.
@nonexhaustive
public enum DownloadEvent: Sendable {
    /// So many bytes have come, of so many; of how many, not every server says.
    case progress(received: Int64, expected: Int64?)

    /// The file is there, and is the receiver's: the last event.
    case finished(file: URL, response: URLResponse)
}
