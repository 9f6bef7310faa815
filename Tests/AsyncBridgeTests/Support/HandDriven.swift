// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting

/// An async function that runs only when the test says so.
final class HandDriven<Value: Sendable>: Sendable {
    let executor = ManualExecutor()
    let task: Task<Void, Never>
    private let ended = Slot<Result<Value, any Error>>()

    /// Starts the function in a task of its own, which does not run before ``turn()``.
    init(_ body: @escaping @Sendable () async throws -> Value) {
        let ended = self.ended
        self.task = Task(executorPreference: self.executor) {
            do { ended.put(.success(try await body())) } catch { ended.put(.failure(error)) }
        }
    }

    /// A task that waits forever is a leak, of the test's.
    deinit {
        self.task.cancel()
        self.executor.run()
    }

    /// Runs the function until it has ended or waits for something.
    func turn() { self.executor.run() }

    /// Runs the function again, as soon as another thread has woken it.
    func turnWhenWoken() async {
        await self.executor.hasJob()
        self.turn()
    }

    func cancel() { self.task.cancel() }

    var hasEnded: Bool { self.ended.value != nil }

    /// What the function returned or threw.
    ///
    /// - Throws: Its error, or ``StillWaiting`` if it has not ended.
    func get() throws -> Value {
        guard let result = self.ended.value else { throw StillWaiting() }
        return try result.get()
    }

    struct StillWaiting: Error {}
}

/// A place for one value that comes from another task or thread.
final class Slot<Value: Sendable>: Sendable {
    private let storage = Locked<Value?>(nil)

    func put(_ value: Value) { self.storage.withLock { $0 = value } }

    var value: Value? { self.storage.withLock { $0 } }

    /// Empties the slot.
    @discardableResult
    func take() -> Value? {
        self.storage.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

/// What happened, in order, as several threads may tell it.
final class Log<Element: Sendable>: Sendable {
    private let storage = Locked<[Element]>([])

    func callAsFunction(_ element: Element) { self.storage.withLock { $0.append(element) } }

    var all: [Element] { self.storage.withLock { $0 } }

    var count: Int { self.all.count }
}

/// A reference that may go where the compiler cannot follow it.
///
/// Safe in tests that hand it from one thread to the next and never share it.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
}
