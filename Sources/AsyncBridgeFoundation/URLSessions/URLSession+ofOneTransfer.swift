// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// A session for one transfer, with a copy of this one's configuration, but without its cache and its delegate.
    ///
    /// Without a cache cancelling is safe: see ``TransferCancellation``.
    func ofOneTransfer(_ delegate: TransferDelegate, queue: OperationQueue? = nil) -> URLSession {
        // On Linux `configuration` is the session's own object, and what is written there takes effect at once.
        // Safe: a copy of a configuration is a configuration.
        let configuration = self.configuration.copy() as! URLSessionConfiguration
        configuration.urlCache = nil
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}
