// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if canImport(Darwin)
extension BridgedURLSession {
    /// Loads into a file, in a task of this session.
    nonisolated(nonsending) func file(
        for request: URLRequest,
        _ destination: URL?,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws -> (file: URL, response: URLResponse) {
        let transfer = Transfer()
        return try await awaitCallback(
            "URLSession.bridge.download",
            onUndelivered: { DownloadedFile.remove($0.file) },
            fileID: fileID,
            line: line
        ) { callback in
            let task = self.session.downloadTask(with: request) { file, response, error in
                defer { transfer.end() }
                let answer = TransferAnswer.of(file, response, error)
                guard callback.isWaiting else {
                    if let file { DownloadedFile.remove(file) }
                    // Refused as well, and hands nothing back.
                    callback.resume(throwing: CancellationError())
                    return
                }
                // Foundation deletes the file when this handler returns.
                callback.resume(with: answer.flatMap { DownloadedFile.keep($0, at: destination) })
            }
            let couldBeCut = self.cancellation.cuts(task, of: self.session)
            task.resume()
            return (task, couldBeCut)
        } onCancel: { task, couldBeCut in
            transfer.giveUp(task, of: self.session, self.cancellation, couldBeCut: couldBeCut)
        }
    }
}
#else
extension BridgedURLSession {
    /// Loads into a file, in a separate session.
    nonisolated(nonsending) func file(
        for request: URLRequest,
        _ destination: URL?,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws -> (file: URL, response: URLResponse) {
        let transfer = Transfer()
        return try await awaitCallback(
            "URLSession.bridge.download",
            onUndelivered: { DownloadedFile.remove($0.file) },
            fileID: fileID,
            line: line
        ) { callback in
            let delegate = FileDelegate { answer in
                defer { transfer.end() }
                guard callback.isWaiting else {
                    // Refused as well, and hands nothing back. The file goes.
                    callback.resume(throwing: CancellationError())
                    return
                }
                callback.resume(with: DownloadedFile.keep(answer, at: destination))
            }
            let session = self.session.ofOneTransfer(delegate, queue: InPlaceQueue())
            let task = session.dataTask(with: request)
            task.resume()
            // Finishes this one task, and then releases its delegate.
            session.finishTasksAndInvalidate()
            return (delegate, session, task)
        } onCancel: { delegate, session, task in
            if self.cancellation.cuts(task, of: session) { delegate.cut(task) } else { transfer.abandon() }
        }
    }
}
#endif
