// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the three values of a completion handler mean together.
enum TransferAnswer {
    /// Reads the answer of a data or upload task.
    static func of(
        _ data: Data?,
        _ response: URLResponse?,
        _ error: (any Error)?
    ) -> Result<(data: Data, response: URLResponse), any Error> {
        switch (data, response, error) {
        case (let data?, _, let error?) where !data.isEmpty:
            .failure(TransferError(.incomplete, underlyingError: error, partialData: data))
        case (_, _, let error?): .failure(error)
        case (let data?, let response?, nil): .success((data, response))
        case (nil, _?, nil): .failure(TransferError(.noData))
        case (_?, nil, nil): .failure(TransferError(.noResponse))
        case (nil, nil, nil): .failure(TransferError(.noAnswer))
        }
    }
}
