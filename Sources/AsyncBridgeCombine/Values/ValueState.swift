// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// Which of a publisher's elements is the one that is wanted.
@nonexhaustive
public enum PublisherValue: Sendable, Hashable {
    /// The first one; the subscription is cancelled then. A publisher that ends without one is an error.
    case first

    /// The last one before the publisher finishes. A publisher that ends without one is an error.
    case last

    /// The only one. A second one is an error, and so is none.
    case single
}

/// Which element of a publisher is the result: every decision, and nothing else.
///
/// | State     | Holds                                   | Next                 |
/// |-----------|-----------------------------------------|----------------------|
/// | `none`    | nothing has come                        | `latest`, `over`     |
/// | `latest`  | the element that is the result, so far  | `latest`, `over`     |
/// | `over`    | nothing: the result has left            | none                 |
struct ValueState<Value: Sendable>: ~Copyable {
    private enum State {
        case none
        case latest(Value)
        case over
    }

    /// What the result is.
    enum Outcome {
        case value(Value)
        case noValue
        case severalValues
    }

    let wanted: PublisherValue
    private var state = State.none

    init(_ wanted: PublisherValue) { self.wanted = wanted }

    /// The publisher has sent an element.
    ///
    /// - Returns: The result, if that settles it; then cancel the subscription.
    mutating func receive(_ value: Value) -> Outcome? {
        switch (self.state, self.wanted) {
        case (.over, _):
            return nil
        case (_, .first):
            self.state = .over
            return .value(value)
        case (.latest, .single):
            self.state = .over
            return .severalValues
        case (_, .last), (.none, .single):
            self.state = .latest(value)
            return nil
        }
    }

    /// The publisher has finished.
    ///
    /// - Returns: The result, if there was none.
    mutating func finish() -> Outcome? {
        defer { self.state = .over }
        switch self.state {
        case .none: return .noValue
        case .latest(let value): return .value(value)
        case .over: return nil
        }
    }

    /// The publisher has failed, or nobody wants the result any more.
    ///
    /// - Returns: Whether there was no result.
    mutating func end() -> Bool {
        defer { self.state = .over }
        if case .over = self.state { return false }
        return true
    }
}
#endif
