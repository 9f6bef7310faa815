// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A reason why the source of a sequence is stopped.
@nonexhaustive
public enum SequenceTermination: Sendable {
    /// The source finished the sequence.
    case finished

    /// The source failed the sequence or dropped its sink, or the buffer overflowed.
    case failed

    /// The consumer was cancelled, left its loop, or was released.
    case cancelled
}

/// An action that stops a source; runs once.
package typealias Teardown = @Sendable (SequenceTermination) -> Void
