// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What the mistakes beside this file call: no target compiles it, `Scripts/check-messages` does.

struct Quote: Sendable {
    let text: String
}

/// Not `Sendable`.
final class Image {
    var name = ""
}

enum LoaderError: Error {
    case refused
}

final class Request: Sendable {
    func cancel() {}
}

/// One function for each shape of callback.
struct QuoteClient: Sendable {
    func anyQuote(_ completion: @escaping @Sendable (Quote) -> Void) {}

    func fetch(_ completion: @escaping @Sendable (Quote?, (any Error)?) -> Void) {}

    func request(_ completion: @escaping @Sendable (Quote?, (any Error)?) -> Void) -> Request { Request() }

    func maybe(_ completion: @escaping @Sendable (Quote?, (any Error)?) -> Void) -> Request? { nil }

    func ranked(_ completion: @escaping @Sendable (Quote?, Int, (any Error)?) -> Void) {}

    func load(_ completion: @escaping @Sendable (Result<Quote, LoaderError>) -> Void) {}

    func save(_ completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {}

    func check(_ completion: @escaping @Sendable (Bool) -> Void) {}

    func remove(_ completion: @escaping @Sendable ((any Error)?) -> Void) {}

    func edit(_ completion: @escaping @Sendable (inout Quote) -> Void) {}

    func ping(_ completion: @escaping @Sendable () -> Void) {}

    func portrait(_ completion: @escaping @Sendable (Image?, (any Error)?) -> Void) {}

    func watch(
        onQuote: @escaping @Sendable (Quote) -> Void,
        onError: @escaping @Sendable (any Error) -> Void
    ) -> Request { Request() }

    func quote() async throws -> Quote { Quote(text: "…") }
}
