// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A value that tests wait for.
final class Watched<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var waiting: [(condition: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Locked<State>

    init(_ value: Value) { self.state = Locked(State(value: value)) }

    var value: Value { self.state.withLock { $0.value } }

    func change(_ body: (inout Value) -> Void) {
        let woken = self.state.withLock { state in
            body(&state.value)
            let woken = state.waiting.filter { $0.condition(state.value) }
            state.waiting.removeAll { $0.condition(state.value) }
            return woken
        }
        for waiter in woken { waiter.continuation.resume() }
    }

    func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isTrue = self.state.withLock { state in
                if condition(state.value) { return true }
                state.waiting.append((condition, continuation))
                return false
            }
            if isTrue { continuation.resume() }
        }
    }
}
