// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SequenceTrial {
    /// What the end of an iteration ought to be.
    enum ExpectedEnd: Sendable {
        case finished
        case error(SourceError)
        /// The end, or an error of the bridge.
        case fault
        /// The end, or `CancellationError`.
        case cancellation
        /// The end, which a cancellation may have overtaken.
        case finishedOrCancelled
        /// `CancellationError`, and not the end.
        case thrownCancellation
        /// An error of the bridge, and not the end.
        case thrownFault

        func isMet(by end: SequenceConsumer.End) -> Bool {
            switch (self, end) {
            case (.finished, .finished), (.fault, .finished), (.cancellation, .finished): true
            case (.finishedOrCancelled, .finished): true
            case (.error(let error), .failed(let seen as SourceError)): error == seen
            case (.fault, .failed(let seen)), (.thrownFault, .failed(let seen)):
                !(seen is CancellationError) && !(seen is SourceError)
            case (.cancellation, .failed(let seen)), (.finishedOrCancelled, .failed(let seen)),
                (.thrownCancellation, .failed(let seen)):
                seen is CancellationError
            case (.finished, .failed), (.error, _), (.thrownCancellation, .finished), (.thrownFault, .finished): false
            }
        }

        /// The law that an end breaks in any scenario, and what to do about it; `nil` if the scenario knows better.
        func misfit(_ end: SequenceConsumer.End) -> (law: Law, advice: String)? {
            guard case .failed(let error) = end, !(error is SourceError) else { return nil }
            switch (self, error is CancellationError) {
            case (.finished, false):
                return (.errors, "end without an error where the source has ended without one")
            case (.cancellation, false), (.finishedOrCancelled, false), (.thrownCancellation, false):
                return (
                    .cancellation,
                    "end a cancelled iteration with CancellationError, or with nil if the sequence cannot throw that: "
                        + "not with an error of its own"
                )
            case (.fault, true), (.thrownFault, true):
                return (
                    .errors,
                    "throw an error of the bridge when the source has released its closures: nobody has cancelled"
                )
            case (.error, false): return (.errors, Law.errors.advice)
            case (.finished, true), (.error, true), (.fault, false), (.thrownFault, false), (.cancellation, true),
                (.finishedOrCancelled, true), (.thrownCancellation, true):
                return nil
            }
        }

        var description: String {
            switch self {
            case .finished: "the end"
            case .error: "the source's error"
            case .fault: "the end or an error of the bridge"
            case .cancellation, .finishedOrCancelled: "the end or CancellationError"
            case .thrownCancellation: "CancellationError"
            case .thrownFault: "an error of the bridge"
            }
        }
    }
}
