// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A twin without isolation gets an object that its caller's actor keeps.
//
// error: sending 'self.parser' risks causing data races

import AsyncBridgeMacros

final class Parser {
    @Bridged
    func parse(completion: @escaping @Sendable (Int) -> Void) {}
}

actor Reader {
    private let parser = Parser()

    func read() async throws -> Int {
        try await parser.parse()  // <-
    }
}
