// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Testing

/// A publisher with a mistake, and where the suite must find it.
struct WrongPublisher: Sendable, CustomTestStringConvertible {
    /// What the violation must name.
    enum Broken: Sendable {
        case rule(ReactiveStreamsRule)
        /// A law for which Reactive Streams has no rule.
        case law(Law)
    }

    let name: String
    let breaks: [(Broken, String)]
    let verification: PublisherVerification

    var testDescription: String { self.name }

    static let all = Self.cold + Self.driven

    static func numbers(
        _ flaw: Numbers.Flaw,
        promises: PublisherPromises = .wrong,
        _ breaks: [(Broken, String)]
    ) -> WrongPublisher {
        WrongPublisher(
            name: "\(flaw)",
            breaks: breaks,
            verification: .numbers("\(flaw)", promises: promises, flaw: flaw)
        )
    }

    static func relay(
        _ flaw: Relay.Flaw,
        promises: PublisherPromises = .wrong,
        _ breaks: [(Broken, String)]
    ) -> WrongPublisher {
        WrongPublisher(
            name: "driven, \(flaw)",
            breaks: breaks,
            verification: PublisherVerification.driven("\(flaw)", promises: promises) { Relay($0, flaw: flaw) }
        )
    }
}

extension PublisherVerification {
    /// Everything that `Numbers` can be.
    static func numbers(
        _ name: String,
        promises: PublisherPromises,
        flaw: Numbers.Flaw = .none
    ) -> PublisherVerification {
        PublisherVerification(name, promises: promises) { Numbers($0, flaw: flaw) }
            .failing { Numbers($0, error: $1, flaw: flaw) }
            .endless { Numbers(.max, flaw: flaw) }
    }
}

extension PublisherPromises {
    /// For right publishers: they never wait for it, and a machine under load must not make them look wrong.
    static var right: Self { Self.standard.with { $0.patience = .seconds(30) } }

    /// For wrong publishers: each hang waits for it.
    static var wrong: Self {
        Self.standard.with {
            $0.patience = .milliseconds(300)
            $0.recursionCount = 2_000
        }
    }
}

/// Whether a mistake was named, and in that scenario.
func names(_ violations: [Violation], _ broken: WrongPublisher.Broken, when scenario: String) -> Bool {
    violations.contains { violation in
        switch broken {
        case .rule(let rule): violation.rule == rule.description && violation.scenario == scenario
        case .law(let law): violation.rule == nil && violation.law == law && violation.scenario == scenario
        }
    }
}

/// Expects that a mistake was named, and in which scenario.
func expect(
    _ violations: [Violation],
    name broken: WrongPublisher.Broken,
    when scenario: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let isCaught = names(violations, broken, when: scenario)
    let list = violations.map(\.description).joined(separator: "\n")
    #expect(isCaught, "expected \(broken) when \(scenario), got:\n\(list)", sourceLocation: sourceLocation)
    expectComplete(violations)
}
#endif
