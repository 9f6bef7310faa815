// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import AsyncBridgeFutures

// How SwiftCoroutine says how many elements may wait in a channel.

extension CoChannel {
    /// How many elements may wait in a channel for a receiver.
    public enum BufferType: Sendable, Hashable {
        /// None: a sender waits until its element is received. A rendezvous.
        case none
        /// Up to the capacity; a sender waits while the buffer is full. A negative number counts as 0.
        case buffered(capacity: Int)
        /// Any number: no sender waits. The only limit is memory.
        case unlimited
        /// Only the newest: each replaces the one before. No sender waits.
        case conflated

        /// The same as a policy.
        ///
        /// - Complexity: O(1).
        public var policy: BufferingPolicy {
            switch self {
            case .none: .rendezvous
            case .buffered(let capacity): .bounded(capacity: Swift.max(0, capacity))
            case .unlimited: .unbounded
            case .conflated: .newest(capacity: 1)
            }
        }

        init(_ policy: BufferingPolicy) {
            switch policy {
            case .bounded(capacity: 0): self = .none
            case .bounded(let capacity): self = .buffered(capacity: capacity)
            case .watermark(_, let high): self = .buffered(capacity: high)
            case .newest, .oldest: self = .conflated
            case .failing(let capacity): self = .buffered(capacity: capacity)
            case .unbounded: self = .unlimited
            @unknown default: self = .unlimited
            }
        }
    }

    /// Makes an open channel.
    ///
    /// - Parameters:
    ///   - type: How many elements may wait in it.
    ///   - onUndelivered: Gets elements that will not be received; see `init(buffering:onUndelivered:fileID:line:)`.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Complexity: O(1).
    public convenience init(
        bufferType type: BufferType,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(buffering: type.policy, onUndelivered: onUndelivered, fileID: fileID, line: line)
    }

    /// Makes an open channel with a capacity.
    ///
    /// - Parameters:
    ///   - capacity: The number of elements that may wait in it; with 0 or less, none.
    ///   - onUndelivered: Gets elements that will not be received; see `init(buffering:onUndelivered:fileID:line:)`.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Complexity: O(1).
    public convenience init(
        capacity: Int,
        onUndelivered: (@Sendable (sending Element) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(bufferType: .buffered(capacity: capacity), onUndelivered: onUndelivered, fileID: fileID, line: line)
    }

    /// How many elements may wait in the channel.
    ///
    /// - Complexity: O(1).
    public var bufferType: BufferType { BufferType(self.buffering) }
}

extension CoChannel.Sender {
    /// How many elements may wait in the channel.
    ///
    /// - Complexity: O(1).
    public var bufferType: CoChannel.BufferType { CoChannel.BufferType(self.buffering) }
}

extension CoChannel.Receiver {
    /// How many elements may wait in the channel.
    ///
    /// - Complexity: O(1).
    public var bufferType: CoChannel.BufferType { CoChannel.BufferType(self.buffering) }
}
