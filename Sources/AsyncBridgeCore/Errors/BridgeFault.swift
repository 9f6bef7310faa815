// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A failure of a bridge itself, as opposed to a failure of the bridged API.
///
/// Cancellation is not among them: that is always `CancellationError`.
///
/// ```swift
/// do {
///     quote = try await client.quote(id: id)
/// } catch BridgeFault.timedOut {
///     show("The server is slow today.")
/// } catch let fault as BridgeFault {
///     logger.error("\(fault)")
/// }
/// ```
public struct BridgeFault: Error, Sendable {
    /// The kind of a fault.
    ///
    /// Minor releases may add kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kinds, with their numbers for Foundation.
        ///
        /// Do not: change a number. Apps may have logged or compared it.
        private enum Kind: Int {
            case callbackDropped = 1
            case timedOut = 2
            case noResult = 3
            case unsuccessful = 4
            case slotBusy = 5
            case slotReplaced = 6
            case slotClosed = 7
            case sinkDropped = 8
            case secondConsumer = 9
            case consumerLeft = 10
            case bufferOverflow = 11
            case noValue = 12
            case severalValues = 13
            case valueMissing = 14
            case subscriberDropped = 15
        }

        private let kind: Kind

        /// The last reference to a callback was released, and it had never been called.
        public static var callbackDropped: Self { Self(kind: .callbackDropped) }

        /// The timeout that the caller set passed before an answer came, or before a lock was free.
        public static var timedOut: Self { Self(kind: .timedOut) }

        /// An API called back with `nil` for both the value and the error.
        public static var noResult: Self { Self(kind: .noResult) }

        /// An API called back with some of its values, and with `nil` for the others and the error.
        ///
        /// Those that came are the fault's ``BridgeFault/values``. If a value may be missing, declare it optional:
        /// `withCallback(of: ([Quote], String?).self)`, or a function that returns `([Quote], String?)`.
        public static var valueMissing: Self { Self(kind: .valueMissing) }

        /// An API called back with `false` and no error.
        public static var unsuccessful: Self { Self(kind: .unsuccessful) }

        /// A ``ReplySlot`` that takes one caller at a time was busy.
        public static var slotBusy: Self { Self(kind: .slotBusy) }

        /// A newer caller of a ``ReplySlot`` replaced this one.
        public static var slotReplaced: Self { Self(kind: .slotReplaced) }

        /// A ``ReplySlot`` was released or closed while this caller waited.
        public static var slotClosed: Self { Self(kind: .slotClosed) }

        /// The last reference to a sink was released, and the sequence had not been finished.
        public static var sinkDropped: Self { Self(kind: .sinkDropped) }

        /// A sequence for one consumer was iterated by a second one.
        public static var secondConsumer: Self { Self(kind: .secondConsumer) }

        /// A hot sequence was iterated again, after its consumer had left it before the end.
        public static var consumerLeft: Self { Self(kind: .consumerLeft) }

        /// A buffer whose policy is to fail was full.
        public static var bufferOverflow: Self { Self(kind: .bufferOverflow) }

        /// A publisher finished without a value, but one was expected.
        public static var noValue: Self { Self(kind: .noValue) }

        /// A publisher sent a second value, but only one was expected.
        public static var severalValues: Self { Self(kind: .severalValues) }

        /// A publisher released its subscriber before it had completed.
        public static var subscriberDropped: Self { Self(kind: .subscriberDropped) }

        /// The kind in a few words.
        public var description: String {
            switch self.kind {
            case .callbackDropped: "the callback was dropped without an answer"
            case .timedOut: "the wait timed out"
            case .noResult: "the callback came with neither a value nor an error"
            case .valueMissing: "the callback came with some of its values only, and without an error"
            case .unsuccessful: "the callback reported failure without an error"
            case .slotBusy: "the slot is waiting for another caller's reply"
            case .slotReplaced: "a newer caller replaced this one"
            case .slotClosed: "the slot was released or closed"
            case .sinkDropped: "the sink was dropped before the sequence was finished"
            case .secondConsumer: "the sequence already has another consumer"
            case .consumerLeft: "an earlier loop over the hot sequence was left, which stopped its source"
            case .bufferOverflow: "the consumer was too slow for the buffer"
            case .noValue: "the publisher finished without a value"
            case .severalValues: "the publisher has more than one value"
            case .subscriberDropped: "the publisher dropped its subscriber without a completion"
            }
        }

        /// The number of the kind, for Foundation.
        package var number: Int { self.kind.rawValue }
    }

    /// What went wrong.
    public let code: Code

    /// Where the callback, slot, sink, sequence, semaphore or mutex was made.
    public let made: BridgeDiagnostics.CallSite

    /// The values that a callback came with when others were missing.
    ///
    /// In their order, `nil` where one is missing, if the code is ``Code-swift.struct/valueMissing``; else empty.
    public let values: [(any Sendable)?]

    /// Describes a fault: for your own bridges.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - made: Where the callback, slot, sink or sequence was made.
    public init(_ code: Code, made: BridgeDiagnostics.CallSite) {
        self.init(code, made: made, values: [])
    }

    init(_ code: Code, made: CallSite, values: [(any Sendable)?]) {
        self.code = code
        self.made = made
        self.values = values
    }
}

extension BridgeFault: CustomStringConvertible {
    /// The fault and its place, in a sentence.
    public var description: String {
        let missing = self.values.indices.filter { self.values[$0] == nil }.map { "\($0 + 1)" }
        guard !missing.isEmpty else { return "\(self.code) (made at \(self.made))" }
        return """
            \(self.code) (made at \(self.made)). Missing: \(missing.joined(separator: ", ")) of \(self.values.count). \
            If a value may be missing, declare it optional, as in withCallback(of: (A, B?).self)
            """
    }
}

extension BridgeFault: Equatable {
    /// Whether two faults are of one code and one callback, slot, sink, sequence or lock.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code && one.made == other.made }
}
