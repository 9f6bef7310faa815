// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands the events of an upload to a sequence.
///
/// Safe: its properties are constant and Sendable.
final class UploadDelegate: TransferDelegate, @unchecked Sendable {
    private let sink: CallbackSequence<UploadEvent, any Error>.Sink
    private let answer = Mutex(Data())

    init(_ sink: CallbackSequence<UploadEvent, any Error>.Sink) {
        self.sink = sink
        super.init()
    }

    override func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        // One that waits tells a slow consumer enough.
        guard self.sink.bufferedCount == 0 else { return }
        let expected = totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil
        self.sink.yield(.progress(sent: totalBytesSent, expected: expected))
    }

    override func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        self.answer.withLock { $0.append(data) }
    }

    override func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        // A piece of an answer does not count, as in Foundation's completion handlers.
        switch TransferAnswer.both(self.answer.withLock { $0 }, task.response, error) {
        case .success(let (data, response)):
            self.sink.yield(.finished(data: data, response: response))
            self.sink.finish()
        case .failure(let failure):
            self.sink.fail(failure)
        }
    }
}
