// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// A session in which transfers can be cut on Linux as well.
    static func withoutCache() -> URLSession {
        let configuration = URLSessionConfiguration.patient
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }
}

extension URLSessionConfiguration {
    /// Without the minute's limit that Foundation has: beside all other tests a request may have to wait that long.
    static var patient: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 3600
        configuration.timeoutIntervalForResource = 3600
        return configuration
    }
}
