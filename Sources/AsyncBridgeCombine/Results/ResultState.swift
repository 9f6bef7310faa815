// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// The life of a subscription to one result: every decision, and nothing else.
///
/// | State     | Holds                                        | Next                    |
/// |-----------|----------------------------------------------|-------------------------|
/// | `waiting` | the subscriber; no demand, no result         | `asked`, `held`, `over` |
/// | `asked`   | the subscriber, which has demand             | `sending`, `over`       |
/// | `held`    | the subscriber and the value, without demand | `sending`, `over`       |
/// | `sending` | the subscriber, which is getting the value   | `over`                  |
/// | `over`    | nothing: completed, failed, or cancelled     | none                    |
///
/// A failure needs no demand. Invariant: the subscriber leaves with `over`, so nothing is sent after that.
///
/// A subscriber that drops its subscription gets the value if it has asked for it. Otherwise it can no longer do so,
/// and the state is `over`.
package struct ResultState<Value: Sendable, Failure: Error, Downstream: Sendable>: ~Copyable {
    private enum State {
        case waiting(Downstream)
        case asked(Downstream)
        case held(Downstream, Value)
        case sending(Downstream)
        case over
    }

    private var state: State

    package init(_ downstream: Downstream) { self.state = .waiting(downstream) }

    /// What the caller of ``request()`` or ``settle(_:)`` sends, if anything.
    package enum Delivery {
        case none
        /// The value; then call ``finish()``.
        case value(Downstream, Value)
        case failure(Downstream, Failure)
    }

    /// Whether nothing will be sent any more.
    package var isOver: Bool {
        if case .over = self.state { true } else { false }
    }

    /// The subscriber asks for elements; not for none.
    package mutating func request() -> Delivery {
        switch self.state {
        case .waiting(let downstream):
            self.state = .asked(downstream)
            return .none
        case .held(let downstream, let value):
            self.state = .sending(downstream)
            return .value(downstream, value)
        case .asked, .sending, .over:
            return .none
        }
    }

    /// There is a result; the first one counts.
    package mutating func settle(_ result: Result<Value, Failure>) -> Delivery {
        switch (self.state, result) {
        case (.waiting(let downstream), .success(let value)):
            self.state = .held(downstream, value)
            return .none
        case (.asked(let downstream), .success(let value)):
            self.state = .sending(downstream)
            return .value(downstream, value)
        case (.waiting(let downstream), .failure(let error)), (.asked(let downstream), .failure(let error)):
            self.state = .over
            return .failure(downstream, error)
        case (.held, _), (.sending, _), (.over, _):
            return .none
        }
    }

    /// The value has been received.
    ///
    /// - Returns: The subscriber to tell that there are no more, unless it has cancelled.
    package mutating func finish() -> Downstream? {
        guard case .sending(let downstream) = self.state else { return nil }
        self.state = .over
        return downstream
    }

    /// What the caller of ``cancel()`` releases.
    package struct Leftovers {
        package var downstream: Downstream?
        package var value: Value?
    }

    /// The subscriber wants no more.
    ///
    /// - Returns: What is to be released; `nil` if it was over.
    package mutating func cancel() -> Leftovers? {
        defer { self.state = .over }
        switch self.state {
        case .waiting(let downstream), .asked(let downstream), .sending(let downstream):
            return Leftovers(downstream: downstream)
        case .held(let downstream, let value):
            return Leftovers(downstream: downstream, value: value)
        case .over:
            return nil
        }
    }

    /// The subscription was dropped: no code can ask for the value any more, or cancel.
    ///
    /// - Returns: What is to be released, if nothing will be sent; then it is cancelled.
    package mutating func drop() -> Leftovers? {
        switch self.state {
        case .waiting, .held: return self.cancel()
        case .asked, .sending, .over: return nil
        }
    }
}
#endif
