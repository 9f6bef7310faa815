// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// What the three values of a completion handler mean together.
package enum TransferAnswer {
    /// Reads the answer of a data or upload task.
    package static func of(
        _ data: Data?,
        _ response: URLResponse?,
        _ error: (any Error)?
    ) -> Result<(data: Data, response: URLResponse), any Error> {
        if let error, let data, !data.isEmpty {
            return .failure(TransferError(.incomplete, underlyingError: error, partialData: data))
        }
        return Self.both(data, response, error).map { (data: $0, response: $1) }
    }

    /// Reads the answer of a download task.
    package static func of(
        _ file: URL?,
        _ response: URLResponse?,
        _ error: (any Error)?
    ) -> Result<(file: URL, response: URLResponse), any Error> {
        Self.both(file, response, error).map { (file: $0, response: $1) }
    }

    package static func both<Body>(
        _ body: Body?,
        _ response: URLResponse?,
        _ error: (any Error)?
    ) -> Result<(Body, URLResponse), any Error> {
        switch (body, response, error) {
        case (_, _, let error?): .failure(error)
        case (let body?, let response?, nil): .success((body, response))
        case (nil, _?, nil): .failure(TransferError(.noData))
        case (_?, nil, nil): .failure(TransferError(.noResponse))
        case (nil, nil, nil): .failure(TransferError(.noAnswer))
        }
    }
}
