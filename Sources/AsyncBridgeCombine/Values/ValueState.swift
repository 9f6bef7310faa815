// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// Which element of a publisher is the result: every decision, and nothing else.
///
/// | State     | Holds                                   | Next                 |
/// |-----------|-----------------------------------------|----------------------|
/// | `none`    | nothing has come                        | `latest`, `over`     |
/// | `latest`  | the element that is the result, so far  | `latest`, `over`     |
/// | `over`    | nothing: the result has left            | none                 |
package struct ValueState<Value: Sendable>: ~Copyable {
    private enum State {
        case none
        case latest(Value)
        case over
    }

    /// What the result is.
    package enum Outcome: Sendable {
        case value(Value)
        case noValue
        case severalValues
    }

    package let wanted: PublisherValue
    private var state = State.none

    package init(_ wanted: PublisherValue) { self.wanted = wanted }

    /// What the caller of ``receive(_:)`` does next.
    package struct Reception {
        /// The result, if that settles it; then cancel the subscription.
        package var outcome: Outcome?
        /// The element that is not the result any more, to be released.
        package var replaced: Value?
    }

    /// The publisher has sent an element.
    package mutating func receive(_ value: Value) -> Reception {
        switch (self.state, self.wanted) {
        case (.over, _):
            return Reception()
        case (_, .first):
            self.state = .over
            return Reception(outcome: .value(value))
        case (.latest(let earlier), .single):
            self.state = .over
            return Reception(outcome: .severalValues, replaced: earlier)
        case (.latest(let earlier), .last):
            self.state = .latest(value)
            return Reception(replaced: earlier)
        case (.none, .last), (.none, .single):
            self.state = .latest(value)
            return Reception()
        }
    }

    /// The publisher has finished.
    ///
    /// - Returns: The result, if there was none.
    package mutating func finish() -> Outcome? {
        defer { self.state = .over }
        switch self.state {
        case .none: return .noValue
        case .latest(let value): return .value(value)
        case .over: return nil
        }
    }

    /// What the caller of ``end()`` releases.
    package struct Leftovers {
        package var value: Value?
    }

    /// The publisher has failed, or the result is no longer needed.
    ///
    /// - Returns: What is to be released; `nil` if there was a result.
    package mutating func end() -> Leftovers? {
        defer { self.state = .over }
        switch self.state {
        case .none: return Leftovers()
        case .latest(let value): return Leftovers(value: value)
        case .over: return nil
        }
    }
}
#endif
