// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting

/// An actor that calls async operations, and whose jobs run only when the test says so.
actor CallDesk {
    nonisolated let executor = ManualExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }

    /// State of the actor, which the closures touch without `await`.
    private(set) var story: [String] = []

    /// Both closures are written here, so both run here.
    func call() -> CallHandle {
        callAsync {
            self.tell("operation")
        } completion: { result in
            switch result {
            case .success: self.tell("completion")
            case .failure(let error): self.tell("\(type(of: error))")
            }
        }
    }

    func callForValueAndError() -> CallHandle {
        callAsync {
            self.tell("operation")
        } completion: { _, error in
            self.tell(error == nil ? "completion" : "error")
        }
    }

    /// Its completion is on no actor by its type.
    func callInline(_ completion: @escaping @Sendable () -> Void) -> CallHandle {
        callAsync(deliver: .inline) {
            self.tell("operation")
        } completion: { _ in
            completion()
        }
    }

    private func tell(_ word: String) { self.story.append(self.executor.isCurrent ? word : "\(word) elsewhere") }

    /// Runs something on the actor, and nothing that it brings along.
    nonisolated func onTheActor<Value: Sendable>(
        _ body: @escaping @Sendable (isolated CallDesk) -> Value
    ) async -> Value {
        async let value = self.run(body)
        await self.executor.hasJob()
        self.executor.runOne()
        return await value
    }

    private func run<Value: Sendable>(_ body: @Sendable (isolated CallDesk) -> Value) -> Value { body(self) }

    /// Runs the actor's jobs until a call has ended.
    nonisolated func untilFinished(_ handle: CallHandle) async {
        let isOver = Slot<Bool>()
        let last = Task {
            await handle.finished()
            // The last job: it always comes, and wakes the loop below.
            await self.end { isOver.put(true) }
        }
        while isOver.value == nil {
            await self.executor.turn()
        }
        await last.value
    }

    private func end(_ body: @Sendable () -> Void) { body() }
}
