// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if !canImport(Darwin)
import AsyncBridge
import Foundation
import FoundationNetworking
import Synchronization

/// Writes the body of a transfer into a file.
///
/// Why not a download task: Foundation on Linux writes the body into its own file, which it never removes. If the
/// download fails or is cancelled, it does not even tell the name.
///
/// Safe: its properties are constant and Sendable.
final class FileDelegate: TransferDelegate, @unchecked Sendable {
    typealias Answer = Result<(file: PartialFile, response: URLResponse), any Error>

    private struct State {
        var file: PartialFile?
        var received: Int64 = 0
        var failure: (any Error)?

        mutating func append(_ data: Data) throws -> Int64 {
            let file = try self.file ?? PartialFile()
            self.file = file
            try file.append(data)
            self.received += Int64(data.count)
            return self.received
        }

        /// - Returns: The file, which is empty if there was no body.
        mutating func takeFile() throws -> PartialFile { try self.file.take() ?? PartialFile() }
    }

    private let state = Mutex(State())
    private let progress: @Sendable (_ received: Int64, _ expected: Int64?) -> Void
    private let finish: @Sendable (Answer) -> Void

    /// - Parameters:
    ///   - progress: Is called after each piece of the body.
    ///   - finish: Gets the answer, once. A file that it does not keep is removed.
    init(
        progress: @escaping @Sendable (_ received: Int64, _ expected: Int64?) -> Void = { _, _ in },
        finish: @escaping @Sendable (Answer) -> Void
    ) {
        self.progress = progress
        self.finish = finish
        super.init()
    }

    override func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let written = self.state.withLock { state -> Result<Int64, any Error>? in
            guard state.failure == nil else { return nil }
            let written = Result { try state.append(data) }
            if case .failure(let failure) = written { state.failure = failure }
            return written
        }
        switch written {
        case .success(let received)?:
            let expected = dataTask.response?.expectedContentLength ?? 0
            self.progress(received, expected > 0 ? expected : nil)
        // The disk is full: the transfer is of no use any more.
        case .failure?:
            self.cut(dataTask)
        case nil:
            break
        }
    }

    override func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        let (file, failure) = self.state.withLock { state -> (PartialFile?, (any Error)?) in
            if let failure = state.failure ?? error { return (state.file.take(), failure) }
            do { return (try state.takeFile(), nil) } catch { return (nil, error) }
        }
        self.finish(TransferAnswer.both(file, task.response, failure).map { (file: $0, response: $1) })
    }
}
#endif
