// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a piece of code does, as far as one token is concerned.
///
/// `Lowering` makes steps from syntax; `Interpreter` runs them. Between the two there is no syntax any more: a step
/// knows positions, not nodes, so that the interpreter can be read and tested by itself.
package indirect enum Step: Sendable {
    case nothing
    case sequence([Step])

    /// The token is called, resumed, or handed to something that counts as that.
    case deliver(Delivery)
    /// The token goes where this function cannot see it: it may be delivered there, or not.
    case escape
    /// The same, if the receiver delivers it: wrong if it has been delivered already.
    case hand(position: Int)
    /// Somebody else still has the token, and then nobody.
    case lend
    case own
    /// The token is `nil` from here on: there is nothing to deliver.
    case void
    /// What happens to a missing delivery from here on.
    case excuse(Excuse)

    case branch(Branch)
    case select(Selection)
    case loop(Loop)
    /// A statement with a label, which `break label` leaves.
    case labeled(String, Step)
    case exit(Exit)
    /// The program ends here: no path goes on.
    case stop
    /// An expression with `try` at this position: the code may leave here.
    case mayThrow(Int)
    case attempt(Attempt)
    /// The rest of a block after a `defer`, which is run on every way out.
    case deferring(Step, rest: Step)
    /// A closure that is called once before its call returns: a `return` in it leaves only the closure.
    ///
    /// `decides` says whether its value is used: what follows probably depends on the path that was taken in it.
    case inline(Step, decides: Bool = false)
    /// A closure with the token that is called later, perhaps.
    case carrier(Carrier)
    /// A call of which the receiver may be `nil`, unless that is known; then `body` is skipped.
    case optionally(Drop, isNil: Fact? = nil, body: Step)

    /// A variable gets a new value: nothing is known of it any more.
    case forget(String)
    case learn(Fact, Bool)

    case lock(Lock)
    case unlock(Lock)

    /// A stored token gets a new value, or `nil`.
    case overwrite(position: Int)
    case clear(position: Int)

    /// One step for several, without empty ones.
    static func all(_ steps: [Step]) -> Step {
        let kept = steps.filter { if case .nothing = $0 { false } else { true } }
        return kept.count == 1 ? kept[0] : kept.isEmpty ? .nothing : .sequence(kept)
    }
}

/// What keeps others out.
package enum Lock: Hashable, Sendable {
    case mutex
    /// A queue that is waited for: a lock for those who come back to it.
    case queue
}

/// One delivery of a token: where, and how sure it is.
package struct Delivery: Hashable, Sendable {
    package enum Manner: Hashable, Sendable {
        /// Called or resumed here.
        case call
        /// Handed to a function under a label that promises one call.
        case delegate
        /// In a closure that certainly is called once, later.
        case deferred
        /// In a closure that is probably called once.
        case likely
        /// Stored, or given to an object, for somebody who delivers it later.
        case handed
    }

    package var position: Int
    package var manner: Manner
    /// A closure that does not deliver on each of its paths.
    package var isConditional = false
    /// Handed to a function that tells when something has been shown.
    package var isHook = false
    /// One of `success:` and `failure:`, if it delivers on each of its paths.
    package var isHalf = false
    /// In a closure that asks a flag first whether it is to deliver.
    package var isGuarded = false

    /// Whether it is called or resumed here, for certain.
    var isPlainCall: Bool { manner == .call && !isConditional }
}

/// Why a path without delivery is not reported, or is reported by another rule.
package struct Excuse: OptionSet, Hashable, Sendable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A flag that says whether the token has been delivered is part of the path.
    package static let latch = Excuse(rawValue: 1)
    /// The code says that this cannot happen: `assertionFailure()`, `_ = completion`.
    package static let accepted = Excuse(rawValue: 2)
    /// Another handler of the same function was called on this path.
    package static let sibling = Excuse(rawValue: 4)
    /// A function that answers `Bool` returned `false`.
    package static let refused = Excuse(rawValue: 8)
    /// A loop in which closures deliver had no turn.
    package static let emptyLoop = Excuse(rawValue: 16)
    /// A case that probably never comes: `@unknown default`, or `default` after all ends of the work.
    package static let futureCase = Excuse(rawValue: 32)
    /// The function answered `nil` instead of a value.
    package static let answeredNil = Excuse(rawValue: 64)
    /// The function answered a text, such as what went wrong.
    package static let answeredText = Excuse(rawValue: 128)
    /// The function answered a value that might as well be `nil`.
    package static let answeredValue = Excuse(rawValue: 2048)
    /// A closure answered `true`, or `false`.
    package static let saidYes = Excuse(rawValue: 512)
    package static let saidNo = Excuse(rawValue: 1024)
    /// A variable that another closure sets is not set.
    package static let unset = Excuse(rawValue: 256)
}

/// Why a token was dropped on this path, if that has a rule of its own.
package enum Drop: Hashable, Sendable {
    /// `guard let self else { return }`, `self?.load { … }`
    case weakSelf
    case optionalReceiver
    /// `delegate.load?(completion)`
    case optionalMethod
    case cancelled
}

/// A choice between two ways.
package struct Branch: Sendable {
    package var position: Int
    package var condition: Condition
    package var then: Step
    package var otherwise: Step
    /// Whether the source has an `else`.
    package var hasElse = true
}

/// A `switch`, or the clauses of an `#if`.
package struct Selection: Sendable {
    package struct Case: Sendable {
        package var position: Int
        package var condition: Condition
        package var body: Step
    }

    package var cases: [Case]
}

package struct Loop: Sendable {
    package enum Kind: Sendable {
        /// May run no turn at all.
        case any
        /// `repeat`: one turn at least.
        case atLeastOnce
        /// `while true`: leaves only by `break`, `return` and `throw`.
        case endless
    }

    package var position: Int
    package var kind: Kind
    package var label: String?
    /// Whether there is nothing to loop over.
    package var isEmpty: Fact?
    package var condition: Condition
    package var body: Step
}

package struct Exit: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case `return`
        case `throw`
        case `break`(String?)
        case `continue`(String?)
        case `fallthrough`
    }

    package var kind: Kind
    package var position: Int
}

/// A `do` with its `catch` clauses.
package struct Attempt: Sendable {
    package var position: Int
    package var body: Step
    package var catches: [Selection.Case]
    /// Whether no error gets past the clauses.
    package var isExhaustive: Bool
}

/// A closure that has the token and is called later.
package struct Carrier: Sendable {
    package enum Kind: Hashable, Sendable {
        /// Called once, for certain: a queue, a task.
        case later
        /// Called once, if names do not deceive.
        case likely
        /// Called any number of times: an observer, a sink.
        case many
        /// Nothing is known.
        case unknown
        /// A local closure or function: what its calls do is told where they are.
        case derived
    }

    package var position: Int
    package var end: Int
    package var kind: Kind
    package var body: Step
    /// Where an error that leaves the closure is lost: in a task.
    package var swallowsErrors = false
    /// Another closure of the same expression has the token, too: one of them delivers.
    package var hasRivals = false
    /// It is stored in a property of what calls it, which may fail before that.
    package var isAssigned = false
    /// One of `success:` and `failure:`, of which one is called: each has to deliver.
    package var isHalf = false
    /// Whether it becomes part of an object, such as a button, that calls it when something happens, or never.
    package var isPartOfAnObject = false
    /// Whether its parameters are those of an answer.
    package var getsAnswer = false
    /// What its paths do, if that has been found out already.
    package var trace: Trace?
}
