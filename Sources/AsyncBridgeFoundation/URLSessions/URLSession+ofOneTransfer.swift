// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// A session for one transfer, with this one's configuration, but without its cache and its delegate.
    ///
    /// Without a cache cancelling is safe: see ``TransferCancellation``.
    func ofOneTransfer(_ delegate: TransferDelegate, queue: OperationQueue? = nil) -> URLSession {
        let configuration = self.configuration
        configuration.urlCache = nil
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}
