// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The part of a list that a client asked for.
struct Window: Equatable {
    var limit: Int
    var offset: Int
    /// From one.
    var page: Int

    init(_ parameters: Parameters) {
        self.limit = parameters.number("limit", in: 1...150) ?? 20
        if parameters.has("skip") {
            // The older way, which wins over `page` where both are given.
            self.offset = parameters.number("skip", in: 0...10_000) ?? 0
            self.page = self.offset / self.limit + 1
        } else {
            // The upper bound keeps the product within an Int.
            self.page = parameters.number("page", in: 1...1_000_000) ?? 1
            self.offset = (self.page - 1) * self.limit
        }
    }
}
