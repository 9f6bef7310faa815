// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a call of a bridge came to.
enum Outcome: Sendable {
    case value(Int)
    case failure(any Error)
}

extension Outcome: CustomStringConvertible {
    var description: String {
        switch self {
        case .value(let value): "the value \(value)"
        case .failure(let error as SourceError): "\(error)"
        case .failure(is CancellationError): "CancellationError"
        case .failure(let error): "the error '\(error)'"
        }
    }
}

/// What a call of a bridge ought to come to.
indirect enum Expectation: Sendable {
    case value(Int)
    case error(SourceError)
    case cancellation
    /// An error of the bridge itself.
    case fault
    case either(Expectation, Expectation)

    func isMet(by outcome: Outcome) -> Bool {
        switch (self, outcome) {
        case (.value(let expected), .value(let seen)): expected == seen
        case (.error(let expected), .failure(let seen as SourceError)): expected == seen
        case (.cancellation, .failure(let seen)): seen is CancellationError
        case (.fault, .failure(let seen)): !(seen is CancellationError) && !(seen is SourceError)
        case (.either(let first, let second), _): first.isMet(by: outcome) || second.isMet(by: outcome)
        case (.value, _), (.error, _), (.cancellation, _), (.fault, _): false
        }
    }

    /// What was seen instead, in words.
    ///
    /// All errors of sources look alike.
    func text(insteadOf outcome: Outcome) -> String {
        if case (.error, .failure(let seen as SourceError)) = (self, outcome) { return "\(seen) of another failure" }
        return "\(outcome)"
    }

    /// The law that a call breaks which ends in another way.
    func law(insteadOf outcome: Outcome) -> Law {
        switch (self, outcome) {
        case (.value, .value): .once
        case (.value, .failure), (.fault, _): .neverLost
        case (.error, _): .errors
        case (.cancellation, _): .cancellation
        case (.either(let first, _), _): first.law(insteadOf: outcome)
        }
    }
}

extension Expectation: CustomStringConvertible {
    var description: String {
        switch self {
        case .value(let value): "the value \(value)"
        case .error: "the source's error"
        case .cancellation: "CancellationError"
        case .fault: "an error of the bridge"
        case .either(let first, let second): "\(first) or \(second)"
        }
    }
}
