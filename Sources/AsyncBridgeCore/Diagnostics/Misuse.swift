// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension BridgeDiagnostics {
    /// A wrong use of a bridge, with the places involved.
    public struct Misuse: Sendable {
        /// The kind of a mistake.
        ///
        /// Minor releases may add kinds.
        public struct Kind: Hashable, Sendable, CustomStringConvertible {
            private enum Code {
                case duplicateAnswer
                case droppedCallback
                case droppedSink
                case secondConsumer
                case consumerLeft
                case elementsDropped
                case slotDropped
                case unwindingSwallowed
                case strayYield
                case accessAcrossWait
                case unrequestedElements
                case droppedSubscriber
                case resultUndelivered
                case addedLate
                case waitedOutsideCoroutine
            }

            private let code: Code

            /// A callback was called again after its answer.
            public static var duplicateAnswer: Self { Self(code: .duplicateAnswer) }

            /// The last reference to a callback was released, and it had never been called.
            public static var droppedCallback: Self { Self(code: .droppedCallback) }

            /// The last reference to a sequence's sink was released before the sequence was finished.
            public static var droppedSink: Self { Self(code: .droppedSink) }

            /// A sequence for one consumer was iterated by a second one.
            public static var secondConsumer: Self { Self(code: .secondConsumer) }

            /// A hot sequence was iterated again, after its consumer had left it before the end.
            public static var consumerLeft: Self { Self(code: .consumerLeft) }

            /// A full buffer dropped elements, according to its policy.
            public static var elementsDropped: Self { Self(code: .elementsDropped) }

            /// A reply slot was released while callers were waiting for its reply.
            public static var slotDropped: Self { Self(code: .slotDropped) }

            /// The body of a generator that was dropped yielded again, instead of ending.
            public static var unwindingSwallowed: Self { Self(code: .unwindingSwallowed) }

            /// A generator's yielder was used outside the generator's body.
            public static var strayYield: Self { Self(code: .strayYield) }

            /// Synchronous code waited in the middle of an access, `inout` or `mutating`, to shared memory.
            public static var accessAcrossWait: Self { Self(code: .accessAcrossWait) }

            /// A publisher sent more elements than its subscriber had asked for.
            public static var unrequestedElements: Self { Self(code: .unrequestedElements) }

            /// A publisher released its subscriber before it had completed.
            public static var droppedSubscriber: Self { Self(code: .droppedSubscriber) }

            /// A coroutine's wait had got a value when the coroutine's scheduler dropped it, and nothing took the
            /// value.
            public static var resultUndelivered: Self { Self(code: .resultUndelivered) }

            /// A bridge was added to a channel that was being read already.
            public static var addedLate: Self { Self(code: .addedLate) }

            /// Synchronous code waited outside a coroutine, where nothing can suspend.
            public static var waitedOutsideCoroutine: Self { Self(code: .waitedOutsideCoroutine) }

            /// The kind in a few words.
            public var description: String {
                switch self.code {
                case .duplicateAnswer: "answered twice"
                case .droppedCallback: "never answered"
                case .droppedSink: "sink dropped"
                case .secondConsumer: "second consumer"
                case .consumerLeft: "iterated again after its loop was left"
                case .elementsDropped: "elements dropped"
                case .slotDropped: "slot dropped"
                case .unwindingSwallowed: "unwinding swallowed"
                case .strayYield: "yield outside the body"
                case .accessAcrossWait: "access across a wait"
                case .unrequestedElements: "more elements than requested"
                case .droppedSubscriber: "subscriber dropped"
                case .resultUndelivered: "result not delivered"
                case .addedLate: "added late"
                case .waitedOutsideCoroutine: "waited outside a coroutine"
                }
            }
        }

        /// What was done wrong.
        public let kind: Kind

        /// Which function or type noticed it, such as `withCallback`.
        public let bridge: String

        /// Where the callback, sink, slot or sequence was made.
        public let made: CallSite

        /// The other places, if known: of the first answer and of the second.
        public let involved: [CallSite]

        /// What happened and what to do about it, in a sentence or two.
        public let advice: String

        /// Tells apart places in code that have no call site; 0 if `made` is enough.
        package var address: UInt = 0

        /// Describes a mistake.
        ///
        /// - Parameters:
        ///   - kind: What was done wrong.
        ///   - bridge: Which function or type noticed it.
        ///   - made: Where the misused thing was made.
        ///   - involved: The other places, in the order of events.
        ///   - advice: What happened and what to do about it.
        public init(kind: Kind, bridge: String, made: CallSite, involved: [CallSite] = [], advice: String) {
            self.kind = kind
            self.bridge = bridge
            self.made = made
            self.involved = involved
            self.advice = advice
        }

        struct Identity: Equatable {
            let kind: Kind
            let made: CallSite
            let address: UInt
        }

        var identity: Identity { Identity(kind: self.kind, made: self.made, address: self.address) }
    }
}

extension BridgeDiagnostics.Misuse: CustomStringConvertible {
    /// One line with everything: kind, places, advice.
    public var description: String {
        "\(self.bridge) at \(self.made): \(self.kind)\(self.places). \(self.advice)"
    }

    private var places: String {
        guard let first = self.involved.first else { return "" }
        if self.involved.count == 2, self.involved.allSatisfy({ $0 == first }) { return "; both times at \(first)" }
        return "; at \(self.involved.map(\.description).joined(separator: ", then at "))"
    }
}
