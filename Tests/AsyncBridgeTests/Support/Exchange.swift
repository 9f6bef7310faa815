// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// One `withCallback` whose steps the test takes by hand.
///
/// The callback lies in ``callback`` as soon as the work has started, and is the only reference that the test holds.
final class Exchange<Value: Sendable>: Sendable {
    struct Options: Sendable {
        var cancellation = CancellationMode.prompt
        var timeout: BridgeTimeout?
        /// Shared by the rounds of a stress test.
        var place: Place?
    }

    let place: Place
    let callback: Slot<Callback<Value, any Error>>
    /// The tokens that `onCancel:` was given.
    let cancelled: Log<Int>
    let undelivered: Log<Value>
    let started: Log<Void>
    let wait: HandDriven<Value>

    /// Begins; nothing runs before `wait.turn()`.
    init(
        _ type: Value.Type = Value.self,
        _ options: Options = Options(),
        start: @escaping @Sendable (Callback<Value, any Error>) throws -> Void = { _ in },
        onCancel: @escaping @Sendable () -> Void = {}
    ) {
        // No closure below holds `self`, so that the exchange ends when the test drops it.
        let (place, callback, undelivered) = (
            options.place ?? Place(), Slot<Callback<Value, any Error>>(), Log<Value>()
        )
        let (cancelled, started) = (Log<Int>(), Log<Void>())
        self.place = place
        self.callback = callback
        self.undelivered = undelivered
        self.cancelled = cancelled
        self.started = started
        self.wait = HandDriven {
            try await withCallback(
                cancellation: options.cancellation,
                timeout: options.timeout,
                onUndelivered: { undelivered($0) },
                fileID: Place.fileID,
                line: place.line
            ) { made in
                started(())
                callback.put(made)
                try start(made)
                return 42
            } onCancel: { token in
                cancelled(token)
                onCancel()
            }
        }
    }

    /// Begins, and runs until the waiter has parked.
    static func parked(_ options: Options = Options(), onCancel: @escaping @Sendable () -> Void = {}) -> Exchange {
        let exchange = Exchange(Value.self, options, onCancel: onCancel)
        exchange.wait.turn()
        return exchange
    }

    /// Ends the wait: a task left waiting would be a leak of the test's own.
    deinit {
        self.callback.take()
        self.wait.turn()
    }

    @discardableResult
    func resume(returning value: Value, line: UInt = #line) -> Bool {
        self.callback.value?.resume(returning: value, line: line) ?? false
    }

    func cancel() {
        self.wait.cancel()
        self.wait.turn()
    }
}

/// An error of an API's own.
struct APIError: Error, Equatable {
    var code = 0
}
