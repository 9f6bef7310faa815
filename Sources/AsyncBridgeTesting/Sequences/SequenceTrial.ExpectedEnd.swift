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
