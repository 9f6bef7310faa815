// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// What old code calls, written with completion handlers of every shape around one async function.
///
/// That these compile, without a word about types, is what is tested.
private struct Quotes: Sendable {
    var quote: @Sendable () async throws -> String

    func byResult(_ completion: @escaping @Sendable (Result<String, any Error>) -> Void) -> CallHandle {
        callAsync {
            try await self.quote()
        } completion: {
            completion($0)
        }
    }

    func byResultDirectly(_ completion: @escaping @Sendable (Result<String, any Error>) -> Void) -> CallHandle {
        callAsync({ try await self.quote() }, completion: completion)
    }

    func byPair(_ completion: @escaping @Sendable (String?, (any Error)?) -> Void) -> CallHandle {
        callAsync {
            try await self.quote()
        } completion: {
            completion($0, $1)
        }
    }

    func byPairDirectly(_ completion: @escaping @Sendable (String?, (any Error)?) -> Void) -> CallHandle {
        callAsync({ try await self.quote() }, completion: completion)
    }

    func byError(_ completion: @escaping @Sendable ((any Error)?) -> Void) -> CallHandle {
        callAsync {
            _ = try await self.quote()
        } completion: {
            completion($1)
        }
    }

    func bySuccess(_ completion: @escaping @Sendable (Bool) -> Void) -> CallHandle {
        callAsync {
            try await self.quote()
        } completion: {
            completion($1 == nil)
        }
    }

    func byNothing(_ completion: @escaping @Sendable () -> Void) -> CallHandle {
        callAsync {
            try await self.quote()
        } completion: { _ in
            completion()
        }
    }

    func byMainActorResult(_ completion: @escaping @MainActor (Result<String, any Error>) -> Void) -> CallHandle {
        callAsync({ try await self.quote() }, completion: completion)
    }

    func byMainActorPair(_ completion: @escaping @MainActor (String?, (any Error)?) -> Void) -> CallHandle {
        callAsync({ try await self.quote() }, completion: completion)
    }

    func byDelivery(_ completion: @escaping @Sendable (Result<String, any Error>) -> Void) -> CallHandle {
        callAsync(deliver: .inline, { try await self.quote() }, completion: completion)
    }

    /// On an actor, a handler that is not `Sendable` may be called by a closure written there.
    @MainActor
    func byPlainHandler(_ completion: @escaping (Result<String, any Error>) -> Void) -> CallHandle {
        callAsync {
            try await self.quote()
        } completion: {
            completion($0)
        }
    }

    @MainActor
    func byPlainPair(_ completion: @escaping (String?, (any Error)?) -> Void) -> CallHandle {
        callAsync {
            try await self.quote()
        } completion: {
            completion($0, $1)
        }
    }
}

@Suite("callAsync: the shapes of completion handlers", .timeLimit(.minutes(10)))
struct CallAsyncShapesTests {
    private let words = Log<String>()

    private func tell(_ result: Result<String, any Error>) {
        switch result {
        case .success(let value): self.words(value)
        case .failure(let error): self.words("\(type(of: error))")
        }
    }

    private func tell(_ value: String?, _ error: (any Error)?) {
        self.words([value, error.map { "\(type(of: $0))" }].map { $0 ?? "nil" }.joined(separator: ","))
    }

    @Test(arguments: [false, true])
    func `Sendable handlers`(fails: Bool) async {
        let quotes = Quotes { if fails { throw APIError() } else { "q" } }
        let calls = [
            quotes.byResult { self.tell($0) },
            quotes.byResultDirectly { self.tell($0) },
            quotes.byDelivery { self.tell($0) },
            quotes.byPair { self.tell($0, $1) },
            quotes.byPairDirectly { self.tell($0, $1) },
            quotes.byError { self.words("error: \($0 != nil)") },
            quotes.bySuccess { self.words("success: \($0)") },
            quotes.byNothing { self.words("done") },
        ]
        for call in calls { await call.finished() }
        let (result, pair) = fails ? ("APIError", "nil,APIError") : ("q", "q,nil")
        let others = ["error: \(fails)", "success: \(!fails)", "done"]
        #expect(self.words.all.sorted() == ([result, result, result, pair, pair] + others).sorted())
    }

    @MainActor
    @Test(arguments: [false, true])
    func `handlers of the main actor, Sendable or not`(fails: Bool) async {
        let quotes = Quotes { if fails { throw APIError() } else { "q" } }
        var isOnMainQueue: [Bool] = []
        let calls = [
            quotes.byMainActorResult {
                isOnMainQueue.append(MainQueue.isCurrent); self.tell($0)
            },
            quotes.byMainActorPair {
                isOnMainQueue.append(MainQueue.isCurrent); self.tell($0, $1)
            },
            quotes.byPlainHandler {
                isOnMainQueue.append(MainQueue.isCurrent); self.tell($0)
            },
            quotes.byPlainPair {
                isOnMainQueue.append(MainQueue.isCurrent); self.tell($0, $1)
            },
        ]
        for call in calls { await call.finished() }
        let (result, pair) = fails ? ("APIError", "nil,APIError") : ("q", "q,nil")
        #expect(self.words.all.sorted() == [result, result, pair, pair].sorted())
        #expect(isOnMainQueue == [true, true, true, true])
    }
}
