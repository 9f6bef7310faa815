// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transfer whose body is read piece by piece, in its own session.
struct Stream: Sendable {
    /// Pieces in memory; one has at most 16 KiB on Linux.
    private static let buffering = BufferingPolicy.watermark(low: 4, high: 16)

    private let session: URLSession
    private let task: URLSessionDataTask
    private let delegate: StreamDelegate
    let body: CallbackSequence<Data, any Error>

    init(_ request: URLRequest, like model: URLSession, fileID: StaticString, line: UInt) {
        let (body, sink) = CallbackSequence<Data, any Error>.makeSequence(
            buffering: Self.buffering,
            fileID: fileID,
            line: line
        )
        #if canImport(Darwin)
        let delegate = StreamDelegate(receive: { sink.yield($0) }, finish: { sink.finish(with: $0) })
        let session = model.ofOneTransfer(delegate)
        let task = session.dataTask(with: request)
        sink.onBackPressure(pause: { task.suspend() }, resume: { task.resume() })
        #else
        let spool = BodySpool(sink)
        let delegate = StreamDelegate(receive: { spool.append($0) }, finish: { spool.finish(with: $0) })
        let session = model.ofOneTransfer(delegate, queue: InPlaceQueue())
        let task = session.dataTask(with: request)
        sink.onBackPressure(pause: { spool.pause() }, resume: { spool.resume() })
        #endif
        sink.onTermination { reason in delegate.end(session, task, reason) }
        self.session = session
        self.task = task
        self.delegate = delegate
        self.body = body
    }

    /// Starts the transfer and waits for its response.
    ///
    /// When the caller is cancelled, it drops the sequence, which ends the transfer.
    nonisolated(nonsending) func response(fileID: StaticString, line: UInt) async throws -> URLResponse {
        try await awaitCallback("URLSession.bridge.chunks", fileID: fileID, line: line) { callback in
            self.delegate.expectHead(callback)
            self.task.resume()
        }
    }
}
