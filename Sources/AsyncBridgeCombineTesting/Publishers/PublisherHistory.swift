// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// A course of events over one publisher.
struct PublisherHistory: Sendable {
    /// The publisher.
    enum Source: Equatable, Sendable {
        /// It has so many elements, and then ends or fails.
        case cold(count: Int, fails: Bool)
        case driven
    }

    /// Makes the same history again.
    let seed: UInt64
    var source: Source
    var steps: [PublisherStep]
}

extension PublisherHistory: CustomStringConvertible {
    var description: String {
        let publisher =
            switch self.source {
            case .cold(let count, let fails): "A publisher of \(count) elements\(fails ? ", which then fails" : "")"
            case .driven: "A driven publisher"
            }
        let steps = self.steps.enumerated().map { "\n  \($0 + 1). \($1)" }.joined()
        return "\(publisher):\(steps)\nTo run it again, add .seed(\(self.seed)) to the verification"
    }
}
#endif
