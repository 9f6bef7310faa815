// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim

/// A publisher without its type.
///
/// Safe: publishers may be subscribed to on any thread, and the suite subscribes on one at a time.
final class PublisherUnderTest: @unchecked Sendable {
    private let subscribe: (Probe) -> Void

    init<P: Publisher>(_ publisher: P, _ number: @escaping @Sendable (P.Output) -> Int) {
        let watch = WeakObject(publisher)
        self.subscribe = { publisher.subscribe(ProbeSubscriber<P.Output, P.Failure>($0, watch, number)) }
    }

    func attach(_ probe: Probe) { self.subscribe(probe) }
}

/// How the user's publishers are made.
struct PublisherCases: Sendable {
    var elements: (@Sendable (Int) -> PublisherUnderTest)?
    var failing: (@Sendable (Int, SourceError) -> PublisherUnderTest)?
    var endless: (@Sendable () -> PublisherUnderTest)?
    var driven: (@Sendable (PublisherDriver) -> PublisherUnderTest)?
    /// Whether the driven publisher can fail.
    var drivenFails = false
}

/// What decides which scenarios apply.
struct PublisherTraits: Sendable {
    let promises: PublisherPromises
    let cases: PublisherCases
    /// The seed of the first random history.
    let seed: UInt64

    /// Whether publishers can be made with a number of elements within a range.
    func makes(_ counts: PartialRangeFrom<Int>) -> Bool {
        self.cases.elements != nil && self.promises.counts.upperBound >= counts.lowerBound
    }

    /// The same, and demand matters.
    func obeys(_ counts: PartialRangeFrom<Int>) -> Bool { self.makes(counts) && self.promises.obeysDemand }

    var isDriven: Bool { self.cases.driven != nil }

    /// What ``PublisherPromises/standard`` promises and these publishers do not, for reports.
    ///
    /// What means something for driven publishers only is left out where there are none, and the other way round.
    var notPromised: [String] {
        let (made, standard) = (self.promises, PublisherPromises.standard)
        let isMade = self.cases.elements != nil
        let all: [(String, Bool)] = [
            ("counts = 0...Int.max", made.counts == standard.counts || !isMade),
            ("subscribers = .each", made.subscribers == .each),
            ("unrequested = .kept", made.unrequested == .kept || !self.isDriven),
            ("keptCount = Int.max", made.keptCount == .max || made.unrequested != .kept || !self.isDriven),
            ("obeysDemand", made.obeysDemand), ("stopsAtOnce", made.stopsAtOnce),
            ("releasesCancelledSubscriber", made.releasesCancelledSubscriber),
            ("takesRequestsFromThreads", made.takesRequestsFromThreads || !isMade),
            ("takesEventsFromThreads", made.takesEventsFromThreads || !self.isDriven),
            ("recursionCount = \(standard.recursionCount)", made.recursionCount >= standard.recursionCount || !isMade),
        ]
        return all.filter { !$0.1 }.map(\.0)
    }
}
#endif
