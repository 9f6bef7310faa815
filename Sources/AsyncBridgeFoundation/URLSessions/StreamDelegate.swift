// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands the response of a transfer to its waiter, and the body to a sequence.
///
/// Safe: its properties are constant and Sendable.
final class StreamDelegate: TransferDelegate, @unchecked Sendable {
    private let head = Mutex<Callback<URLResponse, any Error>?>(nil)
    private let receive: @Sendable (Data) -> Void
    private let finish: @Sendable (Result<Void, any Error>) -> Void

    init(
        receive: @escaping @Sendable (Data) -> Void,
        finish: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        self.receive = receive
        self.finish = finish
        super.init()
    }

    /// Before the transfer is started.
    func expectHead(_ callback: Callback<URLResponse, any Error>) { self.head.withLock { $0 = callback } }

    private func takeHead() -> Callback<URLResponse, any Error>? { self.head.withLock { $0.take() } }

    override func receive(_ response: URLResponse) { self.takeHead()?.resume(returning: response) }

    override func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        self.receive(data)
    }

    override func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        // There may be a response of which Foundation did not tell: a redirect that leads nowhere.
        self.takeHead()?.resume(with: TransferAnswer.both((), task.response, error).map { $1 })
        self.finish(error.map { .failure($0) } ?? .success(()))
    }
}
