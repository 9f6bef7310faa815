// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Coroutines
import QuoteKit

/// One question, in each of the styles that give one answer.
struct Question<Answer: Sendable>: Sendable {
    var direct: @Sendable (QuoteClient) async throws -> Answer
    var callback: @Sendable (QuoteClient, @escaping QuoteCompletion<Answer>) -> CallHandle
    var future: @Sendable (QuoteClient) -> CoFuture<Answer>
    var coroutine: @Sendable (QuoteClient) throws -> Answer

    /// The answers to the question, asked in each style.
    func answers(from client: QuoteClient) async -> [Result<Answer, any Error>] {
        var answers: [Result<Answer, any Error>] = []
        for style in Style.allCases {
            do {
                answers.append(.success(try await self.answer(from: client, style)))
            } catch {
                answers.append(.failure(error))
            }
        }
        return answers
    }

    /// The answer to the question, asked in one style.
    ///
    /// Cancellation: that of the style.
    func answer(from client: QuoteClient, _ style: Style) async throws -> Answer {
        switch style {
        case .async:
            try await self.direct(client)
        case .callback:
            // Cooperative: the completion's own word is what counts here.
            try await withCallback(of: Answer.self, cancellation: .cooperative) { callback in
                self.callback(client) { callback.resume(with: $0) }
            } onCancel: {
                $0.cancel()
            }
        case .future:
            try await self.future(client).value(onCancel: .propagate)
        case .coroutine:
            try await withCoroutine { try self.coroutine(client) }
        }
    }
}

/// The styles that give one answer.
enum Style: String, CaseIterable {
    case async
    case callback
    case future
    case coroutine
}
