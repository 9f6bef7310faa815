// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The delegate of a session for one transfer, which can be cancelled at any moment.
///
/// It answers the transfer's questions itself, as ``TransferGate`` says. Subclasses do the rest.
///
/// Safe: its properties are constant and Sendable; so are those of its subclasses.
class TransferDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let gate = TransferGate()
    private let isComplete = OnceFlag()

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

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if !canImport(Darwin)
        guard challenge.proposedCredential != nil else {
            // Without a credential Foundation on Linux has no answer that ends the transfer well: the default one
            // leaves it to itself forever, and the others cancel it. The response and its body have come by now.
            _ = completionHandler
            self.urlSession(session, task: task, didCompleteWithError: nil)
            self.cut(task)
            return
        }
        #endif
        self.gate.answer { completionHandler(.performDefaultHandling, nil) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // What was cut after its end completes once more.
        if self.isComplete.setFirst() { self.complete(task, error) }
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

    /// The transfer has ended; once, and the last of all.
    func complete(_ task: URLSessionTask, _ error: (any Error)?) {}
}
