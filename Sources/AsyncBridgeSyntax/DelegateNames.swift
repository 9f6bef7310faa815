// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// What the event of a delegate's method may be called: the best name first, then longer ones.
struct DelegateNames {
    /// The names, one at least, in backticks where they need them.
    let all: [String]

    /// The label that became the name, by its index among the values; `nil` if the function's own name did.
    let label: Int?

    /// Chooses names.
    ///
    /// - Parameters:
    ///   - function: What the method is called, without labels.
    ///   - values: Its parameters without the sender.
    ///   - hasSender: Whether there is a sender in front of them.
    ///   - kind: What a call becomes.
    init(_ function: String, _ values: [FunctionParameterSyntax], hasSender: Bool, _ kind: DelegateMethod.Kind) {
        let function = function.withoutBackticks
        let labels = values.map { $0.label?.withoutBackticks ?? "" }
        let start = function.words.eventStart
        let said = labels.firstIndex { $0.words.contains(where: \.isEventWord) } ?? labels.firstIndex { !$0.isEmpty }
        self.label = hasSender && start == nil ? said : nil
        var names: [String] = []
        if let label {
            // In `reader(_:task:didReach:)` a label says what happened.
            let long = labels[label].followed(by: values[label].innerName.withoutBackticks)
            let longer = ([function] + labels[..<label] + [long]).filter { !$0.isEmpty }
            names = [labels[label], long, longer.dropFirst().joinedAsName, labels.filter { !$0.isEmpty }.joinedAsName]
            names.append(longer.joinedAsName)
        } else {
            // In `readerDidStart(_:)` the name does.
            if let start { names = [function.words[start...].joinedAsName] }
            names += [function, ([function] + labels).joinedAsName]
        }
        // No case may be called `init` or `self`, not even in backticks, and no slot like a method without parameters.
        var forbidden = ["init", "self", "Type", "Protocol"]
        if kind == .reply, values.isEmpty, !hasSender { forbidden.append(function) }
        let usable = names.filter { !forbidden.contains($0) }
        let suffix = kind == .event ? "Event" : "Reply"
        self.all = (usable.isEmpty ? [function + suffix] : usable).map(\.asIdentifier)
    }
}

extension DelegateNames {
    /// Whether a name says at once what happened, and names no sender before.
    static func beginsWithEvent(_ function: String) -> Bool { function.withoutBackticks.words.eventStart == 0 }
}

extension DelegateMethod {
    /// Gives each method the first of its names that no other one has, as far as that goes.
    static func settleNames(_ methods: inout [DelegateMethod]) {
        var changes = true
        while changes {
            changes = false
            for index in methods.indices {
                let method = methods[index]
                let likeIt = methods.indices.filter { methods[$0].isCalledLike(method) }
                // All of them, so that none has the name that would say too little.
                for other in likeIt where likeIt.count > 1 { changes = methods[other].takeLongerName() || changes }
            }
        }
    }
}

extension Collection<String> {
    /// The words as one name: `didReach` of `Did` and `Reach`.
    fileprivate var joinedAsName: String {
        let rest = self.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return ((self.first.map { $0.prefix(1).lowercased() + $0.dropFirst() } ?? "") + rest.joined())
    }
}

extension [String] {
    /// The word with which a name begins to say what happened: the second one of `readerDidStart`.
    fileprivate var eventStart: Int? {
        self.firstIndex { ["did", "will", "should"].contains($0.lowercased()) }
            ?? self.indices.dropFirst().first { self[$0].isEventWord }
    }
}

extension String {
    /// The words of `readerDidStart`.
    fileprivate var words: [String] {
        var words: [String] = []
        var previous: Character?
        for character in self {
            if words.isEmpty || character.isUppercase && previous?.isUppercase == false { words.append("") }
            words[words.count - 1].append(character)
            previous = character
        }
        return words
    }

    fileprivate var isEventWord: Bool {
        [
            "did", "will", "should", "may", "can", "must", "has", "is", "was", "does", "needs", "wants", "requires",
        ].contains(self.lowercased())
    }

    /// The name and what it is about: `didReceiveData`, but `didFail`, not `didFailFail`.
    fileprivate func followed(by word: String) -> String {
        let end = word.prefix(1).uppercased() + word.dropFirst()
        return self.hasSuffix(end) || word == "_" ? self : self + end
    }
}
#endif
