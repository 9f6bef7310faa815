// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import Synchronization

/// Hands the pieces of a body to a sequence, and keeps pieces for which it has no room in a file.
///
/// Why not: `URLSessionTask.suspend()` on Linux takes the transfer out of libcurl, which closes its connection;
/// `resume()` sends the request again, and the body begins anew. And the queue on which Foundation reads cannot be held
/// up: all sessions of the program share it.
///
/// Safe: all but `isPaused` is used on `queue` only, which is checked.
final class BodySpool: @unchecked Sendable {
    private static let pieceSize = 16 * 1024

    private let sink: CallbackSequence<Data, any Error>.Sink
    private let queue = DispatchQueue(label: "AsyncBridgeFoundation.BodySpool")
    private let isPaused = Atomic(false)
    private var file: SpoolFile?
    private var end: Result<Void, any Error>?

    init(_ sink: CallbackSequence<Data, any Error>.Sink) { self.sink = sink }

    /// The sequence is full.
    func pause() { self.isPaused.store(true, ordering: .sequentiallyConsistent) }

    /// The sequence has room.
    func resume() {
        self.isPaused.store(false, ordering: .sequentiallyConsistent)
        self.queue.async { self.drain() }
    }

    func append(_ piece: Data) {
        self.queue.sync {
            guard self.isFull || self.hasRest else { return _ = self.sink.yield(piece) }
            self.attempt {
                if self.file == nil { self.file = try SpoolFile() }
                try self.file?.write(piece)
            }
        }
    }

    func finish(with end: Result<Void, any Error>) {
        self.queue.sync {
            self.end = end
            self.drain()
        }
    }

    private var isFull: Bool { self.isPaused.load(ordering: .sequentiallyConsistent) }

    private var hasRest: Bool { self.file?.isEmpty == false }

    private func drain() {
        dispatchPrecondition(condition: .onQueue(self.queue))
        self.attempt {
            while !self.isFull, let piece = try self.file?.read(Self.pieceSize) { self.sink.yield(piece) }
        }
        if let end = self.end, !self.hasRest { self.sink.finish(with: end) }
    }

    /// A full disk ends the sequence, which ends the transfer.
    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch {
            self.file = nil
            self.sink.fail(error)
        }
    }
}
