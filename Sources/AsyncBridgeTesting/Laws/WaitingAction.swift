// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An action of a source, such as its start, that waits until another thread has called the bridge and has returned.
///
/// If the bridge runs the action under a lock that this call takes, the call hangs until the action gives up.
struct WaitingAction: Sendable {
    private let stage: Stage
    private let hasBegun = Watched(false)
    /// Lets the other thread begin.
    private let gate = Monitor(false)
    private let isThrough = Watched(false)
    /// Whether the call has returned while the action waited.
    private let hasReturned = Watched<Bool?>(nil)

    init(_ stage: Stage) {
        self.stage = stage
        stage.onRescue { [gate] in gate.open() }
    }

    /// Begins the other thread, which makes the call when the action runs.
    func begin(_ call: @escaping @Sendable () -> Void) {
        self.stage.begin {
            self.gate.pass()
            call()
            self.isThrough.update { $0 = true }
        }
    }

    /// The action: waits, the first time that it runs.
    func run() {
        let isFirst = self.hasBegun.update { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        self.gate.open()
        // Four times as long as there is patience: on a busy machine the other thread comes late.
        let isBack = (1...8).contains { _ in self.stage.block { self.isThrough.value } }
        self.hasReturned.update { $0 = isBack }
    }

    /// Whether the call has returned while the action waited; `nil` if the action has not been run.
    func hasLetThrough() async -> Bool? {
        guard await self.stage.wait(for: self.hasBegun, until: { $0 }) else { return nil }
        // It comes in any case.
        await self.hasReturned.waitUncancelled { $0 != nil }
        return self.hasReturned.value
    }
}
