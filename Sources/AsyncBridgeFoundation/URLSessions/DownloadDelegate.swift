// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(Darwin)
import AsyncBridge
import Foundation
import Synchronization

/// Hands the events of a download to a sequence.
///
/// Safe: its properties are constant and Sendable.
final class DownloadDelegate: TransferDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
    private let sink: CallbackSequence<DownloadEvent, any Error>.Sink
    private let destination: URL?
    private let received = Atomic<Int64>(0)
    private let file = Mutex<Result<URL, any Error>?>(nil)

    init(_ sink: CallbackSequence<DownloadEvent, any Error>.Sink, _ destination: URL?) {
        self.sink = sink
        self.destination = destination
        super.init()
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        let received = self.received.add(bytesWritten, ordering: .relaxed).newValue
        // One that waits tells a slow consumer enough.
        guard self.sink.bufferedCount == 0 else { return }
        let expected = totalBytesExpectedToWrite > 0 ? totalBytesExpectedToWrite : nil
        self.sink.yield(.progress(received: received, expected: expected))
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        // Foundation deletes the file when this returns.
        let file = DownloadedFile.keep(location, at: self.destination)
        self.file.withLock { $0 = file }
    }

    override func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        let file = self.file.withLock { $0 }
        let answer: Result<(file: URL, response: URLResponse), any Error> =
            switch file {
            case .failure(let failure)?: .failure(failure)
            case .success(let file)?: TransferAnswer.of(file, task.response, error)
            case nil: TransferAnswer.of(nil as URL?, task.response, error)
            }
        switch answer {
        case .success(let (file, response)):
            self.sink.yield(.finished(file: file, response: response))
            self.sink.finish()
        case .failure(let failure):
            if case .success(let file)? = file { DownloadedFile.remove(file) }
            self.sink.fail(failure)
        }
    }
}
#endif
