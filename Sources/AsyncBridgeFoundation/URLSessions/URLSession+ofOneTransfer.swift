// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// A session for one transfer, with this one's configuration, but without its cache and its delegate.
    ///
    /// Without a cache cancelling is safe: see ``TransferCancellation``.
    func ofOneTransfer(_ delegate: any URLSessionTaskDelegate, queue: OperationQueue? = nil) -> URLSession {
        let configuration = self.configuration
        configuration.urlCache = nil
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    /// Ends the session of one transfer, and the transfer if it goes on.
    func end(_ task: URLSessionTask, _ reason: SequenceTermination) {
        // Elsewhere: on Linux the session may be calling us, on the queue for which these wait.
        DispatchQueue.global().async {
            if case .finished = reason {} else { task.cancel() }
            self.finishTasksAndInvalidate()
        }
    }
}
