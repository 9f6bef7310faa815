// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The delegate of a session for one transfer, which can be cancelled at any moment.
///
/// It answers by itself what the transfer asks for, as ``TransferGate`` says. The rest is its subclasses'.
///
/// Safe: its one property is constant and Sendable; so are those of its subclasses.
class TransferDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let gate = TransferGate()

    /// Ends the session of one transfer, and the transfer if it goes on.
    func end(_ session: URLSession, _ task: URLSessionTask, _ reason: SequenceTermination) {
        // Elsewhere: on Linux the session may be calling us, on the queue for which these wait.
        DispatchQueue.global().async {
            if case .finished = reason {} else { self.gate.cut { task.cancel() } }
            session.finishTasksAndInvalidate()
        }
    }

    /// Cancels the transfer.
    func cut(_ task: URLSessionTask) {
        // Elsewhere, as above.
        DispatchQueue.global().async { self.gate.cut { task.cancel() } }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        self.gate.answer { completionHandler(request) }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self.receive(response)
        self.gate.answer { completionHandler(.allow) }
    }

    // MARK: For subclasses

    // Why here: on Linux these are requirements with defaults, and only the class that conforms is asked for them.

    /// The transfer has its response.
    func receive(_ response: URLResponse) {}

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}
