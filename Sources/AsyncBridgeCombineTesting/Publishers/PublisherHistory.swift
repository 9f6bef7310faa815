// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// A course of events over one publisher.
struct PublisherHistory: RandomHistory {
    /// The publisher.
    enum Source: Equatable, Sendable {
        /// It has so many elements, and then ends or fails.
        case cold(count: Int, fails: Bool)
        case driven
    }

    let seed: UInt64
    var source: Source
    var steps: [PublisherStep]

    var beginning: String {
        switch self.source {
        case .cold(let count, let fails): "a publisher of \(count) elements is made\(fails ? ", which then fails" : "")"
        case .driven: "a driven publisher is made"
        }
    }
}
#endif
