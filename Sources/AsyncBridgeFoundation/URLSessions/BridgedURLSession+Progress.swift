// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension BridgedURLSession {
    /// Loads the response's body into a file, and reports progress.
    ///
    /// Progress that comes while the consumer is busy is skipped. The last event is
    /// ``DownloadEvent/finished(file:response:)``; a file that no consumer receives is removed.
    ///
    /// ```swift
    /// for try await event in session.bridge.downloadEvents(for: request) { print(event) }
    /// ```
    ///
    /// ## The session
    /// The transfer runs in its own session, with the configuration of this one, but without its cache and its
    /// delegate.
    ///
    /// ## Cancellation
    /// Ends the loop at once. That and leaving the loop cut the transfer, whatever ``cancellation`` says.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: Where the file goes; no file may exist there. Defaults to a new name in the temporary folder.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The events. Each iteration is a separate download. It fails like ``download(for:to:fileID:line:)``.
    /// - Complexity: O(1).
    public func downloadEvents(
        for request: URLRequest,
        to destination: URL? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CallbackSequence<DownloadEvent, any Error> {
        let model = self.session
        return .starting(
            onUndelivered: { if case .finished(let file, _) = $0 { DownloadedFile.remove(file) } },
            fileID: fileID,
            line: line
        ) { sink in
            #if canImport(Darwin)
            let delegate = DownloadDelegate(sink, destination)
            let session = model.ofOneTransfer(delegate)
            let task = session.downloadTask(with: request)
            #else
            let delegate = FileDelegate { received, expected in
                // One that waits tells a slow consumer enough.
                if sink.bufferedCount == 0 { sink.yield(.progress(received: received, expected: expected)) }
            } finish: { answer in
                switch DownloadedFile.keep(answer, at: destination) {
                case .success(let (file, response)):
                    sink.yield(.finished(file: file, response: response))
                    sink.finish()
                case .failure(let failure):
                    sink.fail(failure)
                }
            }
            let session = model.ofOneTransfer(delegate, queue: InPlaceQueue())
            let task = session.dataTask(with: request)
            #endif
            sink.onTermination { reason in delegate.end(session, task, reason) }
            task.resume()
        }
    }

    /// Sends data as the body of a request, loads the answer, and reports progress.
    ///
    /// Progress that comes while the consumer is busy is skipped. The last event is
    /// ``UploadEvent/finished(data:response:)``.
    ///
    /// ```swift
    /// for try await event in session.bridge.uploadEvents(for: request, from: body) { print(event) }
    /// ```
    ///
    /// ## The session
    /// As for ``downloadEvents(for:to:fileID:line:)``.
    ///
    /// ## Cancellation
    /// Ends the loop at once. That and leaving the loop cut the transfer, whatever ``cancellation`` says. How much the
    /// server has received by then is not known.
    ///
    /// - Parameters:
    ///   - request: The request; its own body is ignored.
    ///   - body: The data to send.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The events. Each iteration is a separate upload. It fails like ``upload(for:from:fileID:line:)``.
    /// - Complexity: O(*n*) in the size of the answer, which is in memory as a whole.
    public func uploadEvents(
        for request: URLRequest,
        from body: Data,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CallbackSequence<UploadEvent, any Error> {
        let model = self.session
        return .starting(fileID: fileID, line: line) { sink in
            let delegate = UploadDelegate(sink)
            let session = model.ofOneTransfer(delegate)
            let task = session.uploadTask(with: request, from: body)
            sink.onTermination { reason in delegate.end(session, task, reason) }
            task.resume()
        }
    }
}
