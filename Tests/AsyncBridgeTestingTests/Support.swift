// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

/// Expects that a wrong bridge was caught breaking a law, and in which scenario.
func expect(
    _ violations: [Violation],
    name law: Law,
    or other: Law? = nil,
    when scenario: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let isCaught = violations.contains { ($0.law == law || $0.law == other) && $0.scenario == scenario }
    let list = violations.map(\.description).joined(separator: "\n")
    #expect(isCaught, "expected \(law) when \(scenario), got:\n\(list)", sourceLocation: sourceLocation)
    expectComplete(violations)
}

extension OneShotPromises {
    /// Every scenario is run.
    static var everything: Self {
        Self.standard.with {
            $0.handsBackLateValues = true
            $0.timeout = .seconds(5)
        }
    }

    /// For right bridges: they never wait for it, and a machine under load must not make them look wrong.
    static var right: Self { Self.standard.with { $0.patience = .seconds(30) } }

    /// For wrong bridges: each hang waits for it.
    static var wrong: Self { Self.standard.with { $0.patience = .milliseconds(300) } }
}

extension SequencePromises {
    /// For right bridges: they never wait for it, and a machine under load must not make them look wrong.
    static var right: Self {
        Self.standard.with {
            $0.stopsEndedSource = true
            $0.patience = .seconds(30)
        }
    }

    /// For wrong bridges: each hang waits for it.
    static var wrong: Self { Self.standard.with { $0.patience = .milliseconds(300) } }
}

extension SequencePromises {
    /// What no bridge can promise more of, but for buffers that drop.
    static var everything: Self {
        Self.standard.with {
            $0.overflow = .pauses
            $0.handsBackElements = true
        }
    }

    /// Together these have every scenario.
    static var kinds: [Self] {
        [.everything, .standard.with { $0.overflow = .dropsOldest }, .everything.with { $0.overflow = .keeps }]
    }
}
