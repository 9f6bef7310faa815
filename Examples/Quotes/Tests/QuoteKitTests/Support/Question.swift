// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeCombine
import Coroutines
import OpenCombineShim
import QuoteKit

/// The styles that give one answer.
enum Style: String, CaseIterable, Sendable {
    case async
    case callback
    case future
    case coroutine
    case publisher
}

/// One question, in each of the styles.
struct Question<Answer: Sendable>: Sendable {
    private let direct: @Sendable () async throws -> Answer
    private let callback: @Sendable (@escaping QuoteCompletion<Answer>) -> CallHandle
    private let future: @Sendable () -> CoFuture<Answer>
    private let coroutine: @Sendable () throws -> Answer
    private let publisher: @Sendable () -> AnyPublisher<Answer, any Error>

    init(
        direct: @escaping @Sendable () async throws -> Answer,
        callback: @escaping @Sendable (@escaping QuoteCompletion<Answer>) -> CallHandle,
        future: @escaping @Sendable () -> CoFuture<Answer>,
        coroutine: @escaping @Sendable () throws -> Answer,
        publisher: @escaping @Sendable () -> some Publisher<Answer, any Error> & SendableMetatype
    ) {
        self.direct = direct
        self.callback = callback
        self.future = future
        self.coroutine = coroutine
        self.publisher = { publisher().eraseToAnyPublisher() }
    }

    /// The answers, asked in each style.
    func answers() async -> [Result<Answer, any Error>] {
        var answers: [Result<Answer, any Error>] = []
        for style in Style.allCases {
            do { answers.append(.success(try await self.answer(style))) } catch { answers.append(.failure(error)) }
        }
        return answers
    }

    /// The answer, asked in one style.
    ///
    /// If the style has a completion, `onStart` runs when it is handed over, and `onCall` in each call of it.
    ///
    /// Cancellation: that of the style.
    func answer(
        _ style: Style,
        onStart: () -> Void = {},
        onCall: @escaping @Sendable () -> Void = {}
    ) async throws -> Answer {
        switch style {
        case .async:
            try await self.direct()
        case .callback:
            // Cooperative: the completion's own word is what counts.
            try await withCallback(of: Answer.self, cancellation: .cooperative) { callback in
                onStart()
                return self.callback {
                    onCall()
                    callback.resume(with: $0)
                }
            } onCancel: {
                $0.cancel()
            }
        case .future:
            try await self.future().value(cancellation: .propagate)
        case .coroutine:
            try await withCoroutine { try self.coroutine() }
        case .publisher:
            try await self.publisher().singleValue()
        }
    }
}

extension Question where Answer == Quote? {
    /// The quotation with an id.
    static func quote(_ id: String, from client: QuoteClient) -> Self {
        Self {
            try await client.quote(id: id)
        } callback: {
            client.quote(id: id, completion: $0)
        } future: {
            client.quoteFuture(id: id).map { $0 }
        } coroutine: {
            try client.awaitQuote(id: id)
        } publisher: {
            client.quotePublisher(id: id).map { $0 }
        }
    }
}

/// All elements of a list.
func all<Item>(_ list: PagedItems<Item>) async throws -> [Item] {
    var items: [Item] = []
    for try await item in list { items.append(item) }
    return items
}
